import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadCommands } from '../../src/cli/program.js'
import { flagOf, settingNames, variableOf } from '../../src/command/settings/sources.js'
import { rulesOf } from '../../src/emulator/control/rules.js'
import { effects } from '../../src/emulator/core/scenario/effects/index.js'
import { builtIn } from '../../src/emulator/families/index.js'
import { routes } from '../../src/generated/routes.js'
import { startEmulator } from '../../src/index.js'
import { pages } from './blocks.js'

/** Pages about the program as it is. Decisions name what there was when they were taken. */
const current = pages.filter((page) => !page.startsWith('docs/decisions/'))

interface Quoted {
  readonly page: string
  readonly text: string
}

/** What stands in back-quotes outside of code blocks. A cell of a table writes `\|` for a bar. */
const quoted: readonly Quoted[] = current.flatMap((page) =>
  [
    ...readFileSync(page, 'utf8')
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, text = '']) => ({ page, text: text.replaceAll('\\|', '|') })),
)

/** The back-quoted names of a kind that there are not, with their pages. */
const missing = (pattern: RegExp, isThere: (name: string) => boolean, texts = quoted): string[] => [
  ...new Set(
    texts.flatMap(({ page, text }) =>
      [...text.matchAll(pattern)].flatMap(([, name = '']) => (isThere(name) ? [] : `${page}: ${name}`)),
    ),
  ),
]

const textsIn = (...folders: readonly string[]): string =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(
          (name) =>
            /\.(ts|tsx|mjs|js|json|yaml|yml|py|go|css)$/.test(name) &&
            !name.includes('node_modules') &&
            // The names of other programs stand here.
            !name.endsWith('names.test.ts'),
        )
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    )
    .join('\n')

const sources = textsIn(
  'src',
  'assets',
  'fixtures',
  'clients',
  'deploy',
  'examples',
  'faults',
  'scripts',
  'bench',
  'test',
)
// Scripts, packages and folders of the project are names too.
const manifest = `${readFileSync('package.json', 'utf8')} ${readdirSync('test').join(' ')}`
const words = new Set(sources.match(/[A-Za-z_$][\w$]*/g))
const dashed = new Set(`${sources}${manifest}`.match(/[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+/g))

const commands = await loadCommands()
const flags = new Set([
  ...commands.flatMap(({ options }) =>
    options.flatMap((option) => option.flags.match(/--?[a-z][a-z-]*/g) ?? []),
  ),
  ...settingNames.map(flagOf),
  ...(textsIn('bench', 'scripts').match(/(?<=')--[a-z-]+/g) ?? []),
  ...['--help', '--version'],
])

/** Flags of other programs that pages name. */
const otherFlags = new Set([
  ...['--save-dev', '--no', '--dry-run', '--workspaces', '--packages'],
  ...['--cacert', '--experimental-vm-modules', '--frozen-intrinsics', '--permission'],
  ...['--allow-addons', '--allow-child-process', '--allow-net', '--allow-worker'],
])

test('there are names to check', () => expect(quoted.length).toBeGreaterThan(2_000))

test('every variable is that of a setting, or one that the sources read', () => {
  const variables = new Set([
    ...settingNames.map(variableOf),
    ...(sources.match(/BACKLOT_[A-Z0-9_]+/g) ?? []),
  ])
  expect(missing(/\b(BACKLOT_[A-Z0-9_]*[A-Z0-9])\b(?!_)/g, (name) => variables.has(name))).toEqual([])
})

test('every flag is one of a command', () =>
  expect(missing(/(?<![\w-])(--[a-z][a-z-]*)/g, (name) => flags.has(name) || otherFlags.has(name))).toEqual(
    [],
  ))

test('every command is one of the program', () => {
  const names = new Set(commands.map(({ usage }) => usage.split(' ')[0]))
  expect(
    missing(/^backlot ([a-z][\w-]*)/g, (name) => names.has(name) || ['help', 'timeline'].includes(name)),
  ).toEqual([])
})

describe('paths', () => {
  /** `GET /tasks/ID` as `GET /tasks/*`. */
  const shapeOf = (route: string) =>
    route.replaceAll(/\{[^}]*\}|:\w+|<[^>]*>|(?<=\/)[A-Z]{2,}\b|…/g, '*').replace(/[?#].*$/, '')
  const own = Object.values(routes).map((route) => route.replace(' /', ' /_backlot/'))
  const paths = new Set(
    [...own, ...builtIn.operations.map(({ route }) => `${route.method} ${route.path}`)].map(shapeOf),
  )
  const isThere = (route: string): boolean =>
    paths.has(shapeOf(route)) ||
    paths.has(shapeOf(route.replace(' /', ' /_backlot/'))) ||
    elsewhere.has(shapeOf(route))
  /** Routes beside the tables, and of services that examples name. */
  const elsewhere = new Set(
    [
      'POST /v1/sketches',
      'GET /v1/sketches/{id}',
      'POST /v1/chat/completions',
      'GET /v1/models',
      'GET /results/…/0.mp4',
      'GET /_backlot/fixtures/{name}',
      'GET /_backlot/results/{task}/{index}',
      'GET /_backlot/results/{task}/{index}/poster',
    ].map(shapeOf),
  )

  test('every route is one of the service or of the control API', () =>
    expect(missing(/^((?:GET|POST|PUT|PATCH|DELETE|HEAD) \/(?:\{[^}]*\}|\S)*)/g, isThere)).toEqual([]))
})

test('every operation is one of a family', () => {
  const families = builtIn.families.map(({ id }) => id).join('|')
  const operations = new Set(builtIn.operations.map(({ id }) => id))
  const rules = new Set(rulesOf(builtIn.operations, builtIn.taskFamilies).map(({ id }) => id))
  const isThere = (name: string) => operations.has(name) || rules.has(name) || name.endsWith('.callback')
  expect(missing(new RegExp(`^((?:${families})\\.[a-z][\\w.-]*)$`, 'g'), isThere)).toEqual([])
})

test('every effect of a scenario is one', () => {
  const keys = new Set(effects.map(({ part, key }) => `${part}.${key}`))
  const parts = [...new Set(effects.map(({ part }) => part))].join('|')
  expect(missing(new RegExp(`^((?:${parts})\\.[a-zA-Z]+)$`, 'g'), (name) => keys.has(name))).toEqual([])
})

test('every name in camel case, or with dashes, is in the sources', () => {
  expect(
    missing(/^([a-z]+[A-Z]\w*)(?:\(.*\))?$/g, (name) => words.has(name) || otherWords.has(name)),
  ).toEqual([])
  expect(
    missing(/^([a-z0-9]+(?:-[a-z0-9]+)+)$/g, (name) => dashed.has(name) || otherWords.has(name)),
  ).toEqual([])
})

/** Names of other projects and of examples. */
const otherWords = new Set([
  ...[
    'changeOrigin',
    'withCredentials',
    'withNetwork',
    'advanceTimersByTimeAsync',
    'baseURL',
    'videoBaseURL',
    'pollIntervalMs',
  ],
  ...['requestJson', 'getVideoStatus', 'getVideoUrl', 'createVideoJob'],
  ...['n8n-nodes-seedance2', 'doubao-vision-mcp-server', 'minimax-mcp-js', 'http-proxy-middleware'],
  ...['axios-retry', 'p-retry', 'async-retry', 'fetch-retry', 'make-fetch-happen'],
  'global-agent',
])

describe('handles', () => {
  /** Members that helpers for tests add to the handles of an emulator. */
  const ofHelpers = new Set(
    [...textsIn('src/testing').matchAll(/^ {2}(?:readonly )?(\w+)\??[(:<]/gm)].map(([, name]) => name),
  )

  test('every handle of an emulator is one', async () => {
    await using emulator = await startEmulator()
    const isThere = (root: object) => (path: string) => {
      let value: unknown = root
      for (const name of path.split('.').slice(1)) {
        if (value === root && ofHelpers.has(name)) return true
        if (typeof value !== 'object' || value === null || !(name in value)) return false
        value = (value as Record<string, unknown>)[name]
      }
      return true
    }
    expect(missing(/^emulator((?:\.\w+)+)/g, isThere(emulator))).toEqual([])
    expect(missing(/^emulator\.account\([^)]*\)((?:\.\w+)+)/g, isThere(emulator.account('key')))).toEqual([])
    expect(missing(/^emulator\.inbox\([^)]*\)((?:\.\w+)+)/g, isThere(emulator.inbox('hook')))).toEqual([])
  })
})

test('a name that is not there would be found', () => {
  const wrong = [{ page: 'wrong.md', text: 'BACKLOT_PROT' }]
  expect(missing(/\b(BACKLOT_\w+)/g, (name) => settingNames.map(variableOf).includes(name), wrong)).toEqual([
    'wrong.md: BACKLOT_PROT',
  ])
})
