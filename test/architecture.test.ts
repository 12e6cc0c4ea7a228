import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { expect, test } from 'vitest'

interface Source {
  readonly path: string
  readonly text: string
}

interface Import {
  readonly from: string
  readonly what: string
  readonly isType: boolean
}

const sources: readonly Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map((path) => join('src', path).split(sep).join('/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const within = (folder: string) => sources.filter(({ path }) => path.startsWith(`src/${folder}/`))

/** Imports and re-exports at the top of a file, and what is imported on the way. */
const importsOf = ({ path, text }: Source): Import[] => [
  ...[...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'/gm)].map(
    ([, type, what]) => ({
      from: path,
      what: resolved(path, what as string),
      isType: type !== undefined,
    }),
  ),
  ...[...text.matchAll(/^import\s+'([^']+)'/gm)].map(([, what]) => ({
    from: path,
    what: resolved(path, what as string),
    isType: false,
  })),
  ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, what]) => ({
    from: path,
    what: resolved(path, what as string),
    isType: true,
  })),
]

/** A file of src for a relative import, the name itself for a package. */
const resolved = (from: string, what: string): string =>
  what.startsWith('.')
    ? normalize(join(dirname(from), what))
        .split(sep)
        .join('/')
    : what

const strangers = (files: readonly Source[], mayImport: (what: string) => boolean) =>
  files
    .flatMap(importsOf)
    .filter(({ what }) => !mayImport(what))
    .map(({ from, what }) => `${from} imports ${what}`)

test('there is something to look at', () => {
  expect(within('core').length).toBeGreaterThan(20)
  expect(within('families').length).toBeGreaterThan(20)
  expect(within('core').flatMap(importsOf).length).toBeGreaterThan(50)
})

test('core imports core, zod and node:crypto alone', () =>
  expect(
    strangers(
      within('core'),
      (what) => what.startsWith('src/core/') || what === 'zod' || what === 'node:crypto',
    ),
  ).toEqual([]))

test('families import families, core and zod alone', () =>
  expect(
    strangers(
      within('families'),
      (what) => what.startsWith('src/families/') || what.startsWith('src/core/') || what === 'zod',
    ),
  ).toEqual([]))

test('the server knows families only as operations that it is given', () =>
  expect(strangers(within('server'), (what) => !what.startsWith('src/families/'))).toEqual([]))

test('nothing imports what starts the program', () =>
  expect(
    strangers(
      [...within('server'), ...within('core'), ...within('families')],
      (what) => !what.startsWith('src/cli/') && !what.startsWith('src/testing/'),
    ),
  ).toEqual([]))

// Clock, chance, the process, the network: everything a decision depends on is handed to it.
test.each([
  ['Date.now', /\bDate\.now\b/],
  ['new Date()', /\bnew Date\(\s*\)/],
  ['performance', /\bperformance\./],
  ['Math.random', /\bMath\.random\b/],
  ['randomness of crypto', /\brandom(UUID|Bytes|Int|FillSync|Fill)\b|\bgetRandomValues\b/],
  ['timers', /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\b/],
  ['the process', /\bprocess\./],
  ['the console', /\bconsole\./],
  ['the network', /\bfetch\(/],
  ['globals', /\bglobalThis\b/],
])('core and families do without %s', (_, forbidden) => {
  const found = [...within('core'), ...within('families')].filter(({ text }) =>
    forbidden.test(withoutComments(text)),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

test.each(['sharp', 'fluent-ffmpeg', 'multer', 'lowdb', 'lowdb/node', 'yaml', 'pino'])(
  '%s is imported at first use, and not when the program starts',
  (heavy) =>
    expect(
      sources
        .flatMap(importsOf)
        .filter(({ what, isType }) => what === heavy && !isType)
        .map(({ from }) => from),
    ).toEqual([]),
)

test('relative imports end in .js', () => {
  const endless = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/from\s+'(\.[^']*)'/g)]
      .filter(([, what]) => !/\.(js|json)$/.test(what as string))
      .map(() => path),
  )
  expect(endless).toEqual([])
})

test('nothing is exported by default', () =>
  expect(sources.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path)).toEqual([]))

test.each(['utils', 'helpers', 'common', 'types', 'services'])('no folder or file is called %s', (name) =>
  expect(
    sources.filter(({ path }) => path.split('/').some((step) => step.replace(/\.ts$/, '') === name)),
  ).toEqual([]),
)
