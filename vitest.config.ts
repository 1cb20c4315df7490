import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './test/order.ts'

// As bin/kith.mjs does: the next process loads the stripped and compiled sources from here.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

export default defineConfig(({ mode }) => ({
  test: {
    // npm run test:all: every test on both engines; npm run test:matrix: the generated tests in full
    env: { KITH_TEST_ALL: String(mode === 'all'), KITH_TEST_FULL: String(mode === 'full') },
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'clients/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    // They only end a test that would never end: how long one takes depends on the machine. Of 6,218 tests on a machine
    // that took 29 minutes for all of them, one needed more than a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    // One service per engine in each of three processes, shared by the files that run there. Two cores are idle a third
    // of the time with two processes and a fifth with three, because tests wait for timers, other processes and locks.
    // Four took no less (823 and 863 s), and pages in four browsers at once wait long for each other.
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    // Node imports the sources as it does in production: Vite's transform makes every import a getter call.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
}))
