import { defineConfig, type UserConfig } from 'tsdown'

const shared = {
  outDir: 'dist',
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  fixedExtension: false,
  shims: true,
  outputOptions: {
    exports: 'named',
    // In CommonJS packages are required even where they are imported late: Jest has no other way.
    dynamicImportInCjs: false,
    // What every CommonJS chunk needs has one of its own, so that small entries do not load a large one for it.
    codeSplitting: { groups: [{ name: 'runtime', test: /rolldown[\\/:]runtime/ }] },
  },
  // zod is some eighty files and Express with what it needs another hundred, and finding and reading them costs more
  // than all of ours: bundled, a start is a third faster.
  // lowdb is there as ES modules alone, which Jest cannot require.
  deps: { alwaysBundle: /^(zod|lowdb|steno|express|lru-cache)(\/|$)/, onlyBundle: false },
} satisfies UserConfig

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      vitest: 'src/testing/vitest/index.ts',
      'vitest-global-setup': 'src/testing/vitest/global-setup.ts',
      jest: 'src/testing/jest/index.ts',
      'jest-global-setup': 'src/testing/jest/global-setup.ts',
      'jest-global-teardown': 'src/testing/jest/global-teardown.ts',
      'node-test': 'src/testing/node-test/index.ts',
      matchers: 'src/testing/matchers/index.ts',
      'matchers-vitest': 'src/testing/matchers/vitest.ts',
      'matchers-jest': 'src/testing/matchers/jest.ts',
    },
    format: ['esm', 'cjs'],
    dts: true,
    copy: [
      'src/server/http/large-body/large-body-worker.mjs',
      'src/server/state/file/compact-worker.mjs',
      'src/server/uploads/hash-worker.mjs',
    ],
  },
  // The command line is only ever run, never imported, and so is the thread of the helper for Jest: one format, no types.
  {
    ...shared,
    entry: { cli: 'src/cli/index.ts', 'emulator-thread': 'src/testing/thread/emulator-thread.ts' },
    format: 'esm',
    dts: false,
    clean: false,
  },
])
