import { resolve } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'

/** What is known of a module, as far as it is needed here. */
interface Seen {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** Whether a module is loaded together with another one: imported by it, and not late. */
const loadedWith = (path: string) => {
  let found: Set<string> | undefined
  return (id: string, seen: Seen): boolean => {
    if (found === undefined) {
      found = new Set([resolve(path)])
      // What is added on the way is come to in its turn.
      for (const one of found) for (const next of seen.getModuleInfo(one)?.importedIds ?? []) found.add(next)
    }
    return found.has(id)
  }
}

// An emulator is some six hundred modules. By themselves they become forty chunks, because late ones share this and that
// with it, and to find and open a chunk takes a millisecond of a start. So all that it needs at once is one, but for what
// the test helper needs where the emulator runs elsewhere, and for zod, which commands need that start none.
const ofEmulator = loadedWith('src/emulator.ts')
const ofHelper = loadedWith('src/testing/use-emulator.ts')
const emulatorInFewChunks = [
  {
    name: (id: string, seen: Seen) => (ofHelper(id, seen) && ofEmulator(id, seen) ? 'handles' : null),
    priority: 3,
  },
  {
    name: (id: string, seen: Seen) => (/[\\/]zod[\\/]/.test(id) && ofEmulator(id, seen) ? 'zod' : null),
    priority: 2,
  },
  { name: (id: string, seen: Seen) => (ofEmulator(id, seen) ? 'emulator' : null), priority: 1 },
]

// What every CommonJS chunk needs has one of its own, so that small entries do not load a large one for it.
const runtime = { name: 'runtime', test: /rolldown[\\/:]runtime/, priority: 4 }

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
    codeSplitting: { groups: [runtime] },
  },
  // zod is some eighty files and Express with what it needs another hundred, and finding and reading them costs more
  // than all of ours: bundled, a start is a third faster.
  // lowdb is there as ES modules alone, which Jest cannot require.
  deps: { alwaysBundle: /^(zod|lowdb|steno|express|lru-cache)(\/|$)/, onlyBundle: false },
} satisfies UserConfig

export default defineConfig([
  {
    ...shared,
    outputOptions: { ...shared.outputOptions, codeSplitting: { groups: [runtime, ...emulatorInFewChunks] } },
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
      'src/service/large-body/large-body-worker.mjs',
      'src/accounts/persistence/compact-worker.mjs',
      'src/media/uploads/hash-worker.mjs',
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
