import { defineConfig } from 'tsdown'

const shared = {
  outDir: 'dist',
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  fixedExtension: false,
  shims: true,
  // zod is some eighty files, and reading them costs more than all of ours: bundled, a start is a fifth faster.
  deps: { alwaysBundle: /^zod(\/|$)/, onlyBundle: false },
} as const

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts' },
    format: ['esm', 'cjs'],
    dts: true,
    copy: 'src/server/http/large-body/large-body-worker.mjs',
  },
  // The command line is only ever run, never imported: one format and no types.
  { ...shared, entry: { cli: 'src/cli/index.ts' }, format: 'esm', dts: false, clean: false },
])
