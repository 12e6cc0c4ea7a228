import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, expect, test } from 'vitest'

interface Source {
  /** Relative to src, with forward slashes. */
  readonly path: string
  readonly text: string
}

interface Import {
  readonly from: string
  /** A path relative to src, or the name of a package. */
  readonly to: string
  readonly isLateOrType: boolean
}

/** The layers of docs/architecture.md, top to bottom. A layer imports layers below it, and folders beside it one way. */
const layers: readonly (readonly string[])[] = (
  /^## Layers\n+```\n([\s\S]*?)```/m.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1] ?? ''
)
  .trim()
  .split('\n')
  .map((line) => line.split(', '))

const sources: readonly Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.ts'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }))

const within = (...folders: string[]) =>
  sources.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))

const resolved = (from: string, to: string): string => {
  if (!to.startsWith('.')) return to
  const path = join(dirname(from), to)
  return (
    [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path].find((one) =>
      existsSync(`src/${one}`),
    ) ?? path
  )
}

/** Static and late imports, re-exports and imports of types: a circle of types is a circle to the reader. */
const importsOf = ({ path, text }: Source): Import[] => {
  const found = (expression: RegExp, isLateOrType: boolean) =>
    [...text.matchAll(expression)].map((match) => ({
      from: path,
      to: resolved(path, match.at(-1) as string),
      isLateOrType: isLateOrType || match[1] !== undefined,
    }))
  return [
    ...found(/^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'/gm, false),
    ...found(/^import\s+'([^']+)'/gm, true),
    ...found(/\bimport\(\s*'([^']+)'\s*\)/g, true),
  ]
}

const imports: readonly Import[] = sources.flatMap(importsOf)
const isOurs = ({ to }: Import): boolean => existsSync(`src/${to}`)
/** The folder or file of a layer: `emulator/core`, `cli`. */
const topOf = (path: string): string => {
  const [top = '', second] = path.split('/')
  return top === 'emulator' && second !== undefined ? `${top}/${second}` : top
}
const layerOf = (top: string): number => layers.findIndex((names) => names.includes(top))
const asText = ({ from, to }: Import): string => `${from} imports ${to}`

test('every folder and file at the top of src has a layer', () =>
  expect([...new Set(sources.map(({ path }) => topOf(path)))].filter((top) => layerOf(top) < 0)).toEqual([
    'generated',
  ]))

test('every folder and file at the top of src is on the map of CONTRIBUTING.md', () => {
  const rows = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| (`[^|]*) \|/gm)
  const onMap = [...rows].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  expect([...new Set(sources.map(({ path }) => topOf(path)))].filter((top) => !onMap.includes(top))).toEqual(
    [],
  )
})

test('no import points to a layer above', () => {
  const upward = imports.filter(isOurs).filter(({ from, to }) => {
    const [upper, lower] = [layerOf(topOf(to)), layerOf(topOf(from))]
    return upper >= 0 && lower >= 0 && upper < lower
  })
  expect(upward.map(asText)).toEqual([])
})

test('no two folders import each other', () => {
  const between = new Map<string, Import>()
  for (const one of imports.filter(isOurs))
    if (topOf(one.from) !== topOf(one.to)) between.set(`${topOf(one.from)} → ${topOf(one.to)}`, one)
  const knots = [...between].filter(([pair]) => between.has(pair.split(' → ').reverse().join(' → ')))
  expect(knots.map(([, one]) => asText(one))).toEqual([])
})

/** Rooms that stand on the emulator, and know nothing of each other. The command line and the helpers use the others too. */
const rooms = ['recording', 'real-service', 'resilience', 'replicas', 'ui']

test('what stands beside the emulator imports its surface alone', () => {
  const past = imports
    .filter(isOurs)
    .filter(
      ({ from, to }) =>
        !/^(emulator|generated)\//.test(from) && /^emulator\//.test(to) && !/^emulator\/surface\//.test(to),
    )
  expect(past.map(asText)).toEqual([])
})

test.each(rooms)('%s imports no other room', (room) => {
  const others = imports.filter(isOurs).filter(({ from, to }) => {
    const allowed = [room, 'emulator', 'generated', 'command', 'traffic']
    return from.startsWith(`${room}/`) && !allowed.includes(to.split('/')[0] as string)
  })
  expect(others.map(asText)).toEqual([])
})

test('no circle of imports has more than two files', () =>
  expect(circlesOf(imports.filter(isOurs)).filter((circle) => circle.length > 2)).toEqual([]))

describe('circlesOf', () => {
  const edge = (from: string, to: string): Import => ({ from, to, isLateOrType: false })

  test('finds a circle of three files', () =>
    expect(
      circlesOf([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'd')]).map((one) => one.sort()),
    ).toEqual([['a', 'b', 'c']]))

  test('finds nothing in a tree', () =>
    expect(circlesOf([edge('a', 'b'), edge('a', 'c'), edge('b', 'c')])).toEqual([]))
})

/** Strongly connected components of more than one file (Tarjan). */
function circlesOf(edges: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    low.set(file, index.get(file) as number)
    stack.push(file)
    for (const next of targets.get(file) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) as number, low.get(next) as number))
    }
    if (low.get(file) !== index.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) circles.push(circle)
  }
  for (const file of targets.keys()) if (!index.has(file)) visit(file)
  return circles
}

test.each<[string, RegExp]>([
  ['emulator/core', /^emulator\/core\/|^generated\/(names|settings)\.|^zod$|^node:(crypto|url)$/],
  ['emulator/families', /^emulator\/(families|core)\/|^generated\/|^zod$|^node:url$/],
])('%s imports nothing from outside', (folder, allowed) =>
  expect(
    within(folder)
      .flatMap(importsOf)
      .filter(({ to }) => !allowed.test(to))
      .map(asText),
  ).toEqual([]),
)

test.each<[string, readonly string[]]>([
  ['express', ['emulator/control/router.ts']],
  ['multer', ['emulator/media/uploads/']],
  ['send', ['emulator/service/']],
  ['range-parser', ['emulator/service/']],
  ['fluent-ffmpeg', ['emulator/media/render/']],
  ['lowdb', ['emulator/accounts/persistence/']],
  ['lowdb/node', ['emulator/accounts/persistence/']],
])('%s is imported in its own place alone', (name, places) =>
  expect(
    imports
      .filter(({ from, to }) => to === name && !places.some((place) => from.startsWith(place)))
      .map(asText),
  ).toEqual([]),
)

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
  const found = within('emulator/core', 'emulator/families').filter(({ text }) =>
    forbidden.test(withoutComments(text)),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

// Tests of users replace the global ones.
test('an emulator takes its timers from timers.ts', () => {
  const timer = /(?<![.\w])(?:set|clear)(?:Timeout|Interval|Immediate)\(/
  const taken =
    /import \{[^}]*\b(?:set|clear)(?:Timeout|Interval|Immediate)\b[^}]*\} from '[./\w]*(?:surface\/records|timers)\.js'/
  const found = sources.filter(
    ({ path, text }) =>
      !/^(cli\/|ui\/|emulator\/timers\.ts$)|-command\.ts$/.test(path) &&
      timer.test(withoutComments(text)) &&
      !taken.test(text),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

test.each(['sharp', 'fluent-ffmpeg', 'multer', 'yaml', 'pino'])(
  '%s is loaded at first use, and not when the program starts',
  (heavy) =>
    expect(
      imports.filter(({ to, isLateOrType }) => to === heavy && !isLateOrType).map(({ from }) => from),
    ).toEqual([]),
)

test('relative imports end in .js', () => {
  const without = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/from\s+'(\.[^']*)'/g)]
      .filter(([, to]) => !/\.(js|json)$/.test(to as string))
      .map(() => path),
  )
  expect(without).toEqual([])
})

test('nothing is exported by default', () =>
  expect(sources.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path)).toEqual([]))

test.each(['utils', 'helpers', 'common', 'types', 'services'])('no folder or file is called %s', (name) =>
  expect(
    sources.filter(({ path }) => path.split('/').some((step) => step.replace(/\.ts$/, '') === name)),
  ).toEqual([]),
)
