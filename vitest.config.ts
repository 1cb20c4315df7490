import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    // npm run test:all: every test on both engines; npm run test:matrix: the generated tests in full
    env: { KITH_TEST_ALL: String(mode === 'all'), KITH_TEST_FULL: String(mode === 'full') },
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'clients/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // they only end a test that would never end: how long one takes depends on the machine
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // one service per engine in each of two processes, shared by the files that run there
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
  },
}))
