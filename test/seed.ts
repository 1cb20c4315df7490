/**
 * A run generates the same cases each time, so that a change fails only for its own faults. Other cases find other
 * faults: `npm run test:all` and KITH_TEST_SEED=random draw new ones, and a failure prints the seed that repeats it.
 */
import fc from 'fast-check'

const { KITH_TEST_ALL, KITH_TEST_SEED = KITH_TEST_ALL === 'true' ? 'random' : '1' } = process.env

if (KITH_TEST_SEED !== 'random') fc.configureGlobal({ seed: Number(KITH_TEST_SEED) })
