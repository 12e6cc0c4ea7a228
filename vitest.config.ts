import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The family of examples/family is tried as those of the sources are.
  resolve: {
    alias: { 'backlot/family': fileURLToPath(new URL('src/emulator/surface/family.ts', import.meta.url)) },
  },
  test: {
    // Tests that start processes, browsers and stores say `slow` in their names: `npm test` passes them by, `.ci/run` does not.
    projects: [
      {
        extends: true,
        test: { name: 'main', include: ['test/**/*.test.ts'], exclude: ['test/**/*.slow.test.ts'] },
      },
      { extends: true, test: { name: 'slow', include: ['test/**/*.slow.test.ts'] } },
    ],
    // Random order on every run: a test that leans on another one is found soon.
    sequence: { shuffle: true },
    // Files share the modules of their worker: reading the sources anew for each costs more than most tests do.
    isolate: false,
    // So what a test stands in for something is taken away before the next test, and before the next file.
    restoreMocks: true,
    unstubEnvs: true,
    setupFiles: 'test/setup.ts',
    globalSetup: 'test/global-setup.ts',
    // One core would be left free otherwise, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    expect: {
      // A test that expects nothing would pass whatever happens, so it fails.
      requireAssertions: true,
      // As long as a test waits for anything else: on a busy machine a second is short.
      poll: { timeout: 15_000 },
    },
  },
})
