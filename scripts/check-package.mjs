import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pack, run } from './packed.mjs'

/** Looks the packed package over: whether its exports, types and files are what those who install it need. */

/** Uses the entries, where nothing but the types of Node and of the test frameworks is installed beside the package. */
const inEither = `
import { connectEmulator, EmulatorError, startEmulator, type TaskRecord } from 'backlot'
import { useEmulator as useInJest } from 'backlot/jest'
import jestSetup, { globalSetup as jestSetupWith } from 'backlot/jest/global-setup'
import jestTeardown from 'backlot/jest/global-teardown'
import { matchers } from 'backlot/matchers'
import { useEmulator as useInNode } from 'backlot/node-test'
import { startContainer } from 'backlot/testcontainers'
import 'backlot/matchers/jest'
import { expect as jestExpect } from 'expect'

export const others = [useInJest(), useInNode({ key: 'key' }), matchers, startContainer]
export const setups = [jestSetup, jestSetupWith({ seed: 1 }), jestTeardown]
export const run = async (): Promise<number> => {
  const own = await startEmulator({ scenario: 'upstream-flapping' })
  const tasks: readonly TaskRecord[] = await own.tasks.list({ status: 'failed' })
  const answer: Promise<unknown> = jestExpect(own).toHaveDeliveredCallback({ status: 'succeeded' })
  await answer
  jestExpect(tasks[0]).toHaveSucceeded()
  if (connectEmulator(own.url).key === '') throw new EmulatorError('none')
  return own.port
}
`

const inModules = `
import { useEmulator } from 'backlot/vitest'
import { expect as playwrightExpect, test as playwrightTest } from 'backlot/playwright'
import vitestSetup, { globalSetup } from 'backlot/vitest/global-setup'
import 'backlot/matchers/vitest'
import { expect } from 'vitest'

export const emulator = useEmulator({ timing: 'instant', env: { BASE: '{url}' }, allow: ['unused-steps'] })
export const vitestSetups = [vitestSetup, globalSetup({ env: {} })]
export const answer: Promise<unknown> = expect(emulator).toHaveReceived('b-video-task.create', { times: 1 })
expect({}).toHaveSucceeded()
playwrightTest('types', async ({ emulator }) => {
  const received: Promise<unknown> = playwrightExpect(emulator).toHaveReceived('c-video.create')
  await received
})
playwrightTest.use({ emulatorOptions: { key: 'one', timing: 'instant' } })
`

/** Uses the main entry, where no types of Node are loaded: TypeScript 6 and newer load none that `types` does not name. */
const withoutNode = `
import { startEmulator } from 'backlot'

export const run = async (): Promise<string> => {
  await using emulator = await startEmulator({ timing: 'instant' })
  return emulator.url
}
`

const options = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: ['node'],
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
}

/** How projects find modules; the last way is the one of those who have not changed it for years. */
const ways = [
  ['nodenext', 'consumer.*', {}],
  ['node16', 'consumer.*', { module: 'node16' }],
  ['nodenext without the types of Node', 'without-node.mts', { types: [] }],
  ['bundler', 'consumer.mts', { module: 'esnext', moduleResolution: 'bundler' }],
  [
    'node10',
    'consumer.cts',
    { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true, ignoreDeprecations: '6.0' },
  ],
]

/** Unpacks the package where somebody has installed it, beside its dependency with types, the types of Node and of the test frameworks. */
const unpack = (folder, tarball) => {
  const modules = join(folder, 'node_modules')
  const home = join(modules, 'backlot')
  mkdirSync(home, { recursive: true })
  mkdirSync(join(modules, '@types'))
  run('tar', ['xzf', tarball, '-C', home, '--strip-components', '1'], folder)
  mkdirSync(join(modules, '@playwright'))
  for (const name of ['@types/node', '@playwright/test', 'vitest', 'expect', 'zod'])
    symlinkSync(resolve('node_modules', name), join(modules, name))
  return home
}

/** Compiles those who use the package, in both kinds of modules and every way to find them. */
const checkTypes = (folder) => {
  writeFileSync(join(folder, 'consumer.cts'), inEither)
  writeFileSync(join(folder, 'consumer.mts'), inEither + inModules)
  writeFileSync(join(folder, 'without-node.mts'), withoutNode)
  const configs = ways.map(([name, include, change]) => {
    const config = `tsconfig.${name.replaceAll(' ', '-')}.json`
    const compilerOptions = { ...options, ...change }
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, include: [include] }))
    return config
  })
  // Built together, they parse each declaration file once.
  run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '--build', ...configs], folder)
  console.log(`types: stand with zod alone, found by ${ways.map(([name]) => name).join(', ')}`)
}

const filesIn = (home, ending) =>
  readdirSync(join(home, 'dist'))
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, text: readFileSync(join(home, 'dist', name), 'utf8') }))

/** Whether a file that `require` finds is an ES module, which Jest and older tools cannot require. */
const isModule = (file) => {
  if (/\.[cm]js$/.test(file)) return file.endsWith('.mjs')
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module'
}

/** Whatever CommonJS files ask for is there, is a dependency, and can be required without further ado. */
const checkRequires = (home) => {
  const { dependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const declared = [...Object.keys(dependencies), ...Object.keys(peerDependenciesMeta)]
  const { resolve: find } = createRequire(resolve('package.json'))
  for (const { name, text } of filesIn(home, '.cjs')) {
    // One in a comment is a type.
    if (/^(?!\s*\/?\*).*(?<!\.)\bimport\(/m.test(text))
      throw new Error(`${name} has an import(), which Jest refuses.`)
    for (const [, wanted] of text.matchAll(/\brequire\("([^."][^"]*)"\)/g)) {
      if (isBuiltin(wanted)) continue
      if (!declared.some((one) => wanted === one || wanted.startsWith(`${one}/`)))
        throw new Error(`${name} requires ${wanted}, which is no dependency.`)
      // A test framework is there where it runs.
      if (wanted in dependencies && isModule(find(wanted)))
        throw new Error(`${name} requires ${wanted}, which is an ES module.`)
    }
  }
  console.log('CommonJS: requires nothing but what can be required')
}

/** Declarations hold no types of other packages: those come from what is installed beside them. */
const checkDeclarations = (home) => {
  for (const { name, text } of [...filesIn(home, '.d.ts'), ...filesIn(home, '.d.cts')]) {
    const [region] = text.match(/#region node_modules\/\S+/) ?? []
    if (region !== undefined) throw new Error(`${name} has types of another package: ${region}.`)
  }
}

/** Pages that errors name are in the package. */
const checkPages = (home) => {
  const named = filesIn(home, '.js').flatMap(({ text }) => text.match(/\bdocs\/[\w-]+\.md\b/g) ?? [])
  const gone = [...new Set(named)].filter((page) => !existsSync(join(home, page)))
  if (named.length === 0 || gone.length > 0)
    throw new Error(`Errors name pages that are not in the package: ${gone.join(', ') || 'none at all?'}`)
  console.log('pages: whatever errors name is there')
}

/** Relative links of the pages lead to files of the package. */
const checkLinks = (home) => {
  const pages = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  )
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(home, page), 'utf8').replaceAll(/^```.*?^```$/gms, '')
    const targets = [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(([^)#\s]+)/g)].map(
      ([, target]) => target,
    )
    return targets
      .filter((target) => !/^\w+:/.test(target) && !existsSync(join(home, dirname(page), target)))
      .map((target) => `${page} to ${target}`)
  })
  if (pages.length < 20 || dead.length > 0)
    throw new Error(`${pages.length} pages have dead links: ${dead.join(', ') || 'none'}`)
  console.log('links: those of all pages lead somewhere')
}

const folder = mkdtempSync(join(tmpdir(), 'backlot-check-'))
try {
  const { tarball } = pack(folder)
  process.stdout.write(run('npx', ['publint', 'run', tarball, '--strict'], '.'))
  // Tools that do not know `exports` find types, by `typesVersions`, and could run the main entry alone.
  process.stdout.write(
    run('npx', ['attw', tarball, '--profile', 'node16', '--format', 'ascii', '--quiet'], '.'),
  )
  const home = unpack(folder, tarball)
  checkTypes(folder)
  checkDeclarations(home)
  checkRequires(home)
  checkPages(home)
  checkLinks(home)
} catch (error) {
  process.stdout.write(`${error.stdout ?? error}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
