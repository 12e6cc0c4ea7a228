import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** Tells whether a module is loaded together with another one: imported by it, directly or not, and not lazily. */
const loadedWith = (path: string) => {
  let loaded: Set<string> | undefined
  return (id: string, graph: ModuleGraph): boolean => {
    if (loaded === undefined) {
      loaded = new Set([resolve(path)])
      // The loop reaches what is added to the set on the way.
      for (const one of loaded)
        for (const next of graph.getModuleInfo(one)?.importedIds ?? []) loaded.add(next)
    }
    return loaded.has(id)
  }
}

const withEmulator = loadedWith('src/emulator/emulator.ts')
// What every start loads stands with the emulator.
const withComposition = loadedWith('src/composition.ts')
const withControl = loadedWith('src/emulator/control/invoke.ts')
const withHelper = loadedWith('src/testing/use-emulator.ts')
const withRecorder = loadedWith('src/recording/record.ts')

// Modules that are imported lazily share others with the emulator, and so would split it into forty chunks of a millisecond
// each. Apart from it stand zod, which commands need that start no emulator, what the test helper needs when the emulator
// runs in another process, the control actions, which are loaded with the first call of one, and the recorder, which every
// run of a sweep has. CommonJS has a chunk of helpers that all the others need.
const groups = [
  { name: 'runtime', test: /rolldown[\\/:]runtime/, priority: 5 },
  {
    name: 'zod',
    test: /[\\/]node_modules[\\/]zod[\\/]v4[\\/](core|classic)[\\/](?!json-schema)/,
    priority: 4,
  },
  {
    name: (id: string, graph: ModuleGraph) =>
      withHelper(id, graph) && (withEmulator(id, graph) || withControl(id, graph) || withRecorder(id, graph))
        ? 'client'
        : null,
    priority: 3,
  },
  {
    name: (id: string, graph: ModuleGraph) =>
      withEmulator(id, graph) || withComposition(id, graph) ? 'emulator' : null,
    priority: 2,
  },
  { name: (id: string, graph: ModuleGraph) => (withControl(id, graph) ? 'control' : null), priority: 1 },
  { name: (id: string, graph: ModuleGraph) => (withRecorder(id, graph) ? 'recorder' : null), priority: 0 },
]

const packageEntries = {
  index: 'src/index.ts',
  family: 'src/emulator/surface/family.ts',
  vitest: 'src/testing/vitest/index.ts',
  'vitest-global-setup': 'src/testing/vitest/global-setup.ts',
  jest: 'src/testing/jest/index.ts',
  'jest-global-setup': 'src/testing/jest/global-setup.ts',
  'jest-global-teardown': 'src/testing/jest/global-teardown.ts',
  'node-test': 'src/testing/node-test.ts',
  playwright: 'src/testing/playwright/index.ts',
  testcontainers: 'src/testing/testcontainers.ts',
  matchers: 'src/testing/matchers/index.ts',
  'matchers-vitest': 'src/testing/matchers/vitest.ts',
  'matchers-jest': 'src/testing/matchers/jest.ts',
}

/** Declarations without the imports of packages that nothing uses: the bundler keeps those of files of which it takes a part. */
const withoutUnusedImports = (code: string): string =>
  code.replace(/^import \{ ([^}]+) \} from "(?!\.)[^"]+";\n/gm, (line: string, names: string) => {
    const rest = code.replace(line, '')
    const isUsed = names.split(', ').some((name) => rest.includes(name.split(' as ').at(-1) ?? name))
    return isUsed ? line : ''
  })

/**
 * Mends declarations. Each comment gets a line of its own: behind the semicolon of a member, where the compiler of declarations
 * leaves some, TypeScript gives it to no member, so that editors do not show it. And `Symbol.asyncDispose` is declared, which
 * only the types of Node would do otherwise: TypeScript 6 and newer load them where `types` names them.
 */
const mendDeclarations = {
  name: 'mend-declarations',
  renderChunk: (code: string, { fileName }: { readonly fileName: string }) => {
    if (!/\.d\.c?ts$/.test(fileName)) return null
    const mended = withoutUnusedImports(code).replace(/; (?=\/\*\*.*\*\/$)/gm, ';\n')
    return mended.includes('Symbol.asyncDispose')
      ? `/// <reference lib="esnext.disposable" />\n${mended}`
      : mended
  },
}

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
const [major, minor] = engines.node.replace('>=', '').split('.').map(Number)

/** Statements that end, with a sentence, on a Node that is too old. */
const checkOfNode = (end: string): string => `{
  const [major, minor] = process.versions.node.split('.').map(Number);
  const text = \`Backlot needs Node ${major}.${minor} or newer, this is \${process.versions.node}.\`;
  if (major < ${major} || (major === ${major} && minor < ${minor})) ${end}
}`

const THROW = 'throw Object.assign(new Error(text), { stack: text });'

/**
 * What an entry does first: on a Node that is too old it ends with a sentence, the command line as an exit code. No import may fail
 * before, as one that uses what this Node does not have would: ES modules run their imports first, so that the check is one of them.
 */
const checkNode =
  (check: string) =>
  ({ isEntry, name }: { readonly isEntry: boolean; readonly name: string }): string => {
    // Entries of declarations end in .d, and hold no statements.
    if (!isEntry || name.endsWith('.d')) return ''
    return name === 'cli' ? checkOfNode('{ console.error(text); process.exit(1); }') : check
  }

const NODE_CHECK = 'node-version.js'

/**
 * Leaves zod outside where families from outside get it: in `backlot/family` and in declarations. The whole namespace in the
 * bundle would treble what every command parses at its start.
 */
const zodOfFamilies = {
  name: 'zod-of-families',
  resolveId: {
    order: 'pre' as const,
    handler: (source: string, importer: string | undefined) =>
      source === 'zod' && /[\\/]families[\\/]toolkit\.ts$|\.d\.[cm]?ts$/.test(importer ?? '')
        ? { id: 'zod', external: true }
        : null,
  },
}

const shared = {
  plugins: [zodOfFamilies],
  outDir: 'dist',
  platform: 'node',
  // Rolldown 1.1 panics where it inlines a constant of a module that is exported through another one and also imported late.
  inputOptions: { optimization: { inlineConst: false } },
  target: 'node20.19',
  sourcemap: false,
  fixedExtension: false,
  shims: true,
  dts: { entry: Object.values(packageEntries) },
  outputOptions: {
    exports: 'named',
    // Declarations keep theirs, where editors read them. In code they took 190 of 4,100 packed KB.
    comments: { jsdoc: false },
    // In CommonJS, lazy imports of packages are `require` as well: Jest has no other way.
    dynamicImportInCjs: false,
    codeSplitting: { groups },
    plugins: [mendDeclarations],
    intro: checkNode(checkOfNode(THROW)),
  },
  // zod and lru-cache for the speed of a start: zod alone is some eighty files. lowdb (and its steno) because it is an ES
  // module, which Jest cannot require. vitest is no range of peerDependencies but a name of peerDependenciesMeta (any version,
  // to pnpm and Yarn): npm 10, which Node 20 and 22 come with, ends with an error at the peers of vitest 4. The types of expect
  // are those of the Jest that is installed.
  deps: {
    alwaysBundle: /^(zod|lru-cache|lowdb|steno)(\/|$)/,
    neverBundle: /^(vitest|expect)(\/|$)/,
    onlyBundle: false,
  },
} satisfies UserConfig

/** The style sheets of the page as one file, in the order of their names, without comments and spaces that mean nothing. */
const joinStyles = (folder: string): string =>
  readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*([{};>])\s*/g, '$1')
    .replace(/([:,])\s+/g, '$1')
    .replaceAll(';}', '}')
    .trim()

/** Comment that names the packages in a file that is minified, for THIRD-PARTY.md. */
const packagesIn = ({ moduleIds }: { readonly moduleIds: readonly string[] }): string => {
  const paths = moduleIds.map((id) => id.replaceAll('\\', '/'))
  const names = paths.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  return [...new Set(names)]
    .filter((name) => name !== undefined)
    .map((name) => `/*! #region node_modules/${name}/ */`)
    .join('\n')
}

/** The page that browsers load from /_backlot/ui: one script with its lazy parts, one style sheet, nothing inline. */
const page = {
  entry: { app: 'src/ui/main.tsx' },
  outDir: 'dist/ui',
  tsconfig: 'src/ui/tsconfig.json',
  platform: 'browser',
  target: 'es2022',
  format: 'esm',
  minify: true,
  treeshake: { propertyReadSideEffects: false },
  sourcemap: false,
  dts: false,
  fixedExtension: false,
  deps: { alwaysBundle: /./, onlyBundle: false },
  outputOptions: { banner: packagesIn },
  copy: ['src/ui/index.html', 'src/ui/icon.svg'],
  hooks: { 'build:done': () => writeFileSync('dist/ui/app.css', joinStyles('src/ui/styles')) },
} satisfies UserConfig

export default defineConfig([
  {
    ...shared,
    // The command line and the thread of the helper for Jest are only run, never imported: ES modules without types.
    entry: {
      ...packageEntries,
      cli: 'src/cli/index.ts',
      'emulator-thread': 'src/testing/jest/emulator-thread.ts',
    },
    format: 'esm',
    outputOptions: { ...shared.outputOptions, intro: checkNode(`import './${NODE_CHECK}'`) },
    hooks: { 'build:done': () => writeFileSync(join('dist', NODE_CHECK), `${checkOfNode(THROW)}\n`) },
    copy: ['src/emulator/service/large-body/large-body-worker.mjs'],
  },
  {
    ...shared,
    entry: packageEntries,
    format: 'cjs',
    clean: false,
    // zod stays outside here: its declarations for CommonJS do not stay outside by themselves.
    deps: {
      ...shared.deps,
      alwaysBundle: /^(lru-cache|lowdb|steno)(\/|$)/,
      neverBundle: /^(vitest|expect|zod)(\/|$)/,
    },
  },
  page,
])
