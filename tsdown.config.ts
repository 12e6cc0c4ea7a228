import { defineConfig } from 'tsdown'

const shared = {
  outDir: 'dist',
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  fixedExtension: false,
} as const

export default defineConfig([
  { ...shared, entry: { index: 'src/index.ts' }, format: ['esm', 'cjs'], dts: true },
  // The command line is only ever run, never imported: one format and no types.
  { ...shared, entry: { cli: 'src/cli/index.ts' }, format: 'esm', dts: false, clean: false },
])
