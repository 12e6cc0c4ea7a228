import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { byTurns, inFullOr, median, timed } from './measure.js'
import { hasPeers } from './rates.js'
import { atMost, OURS, row, type Table } from './report.js'

const ROUNDS = inFullOr(3, 1)
// A run differs from the next by more than the verdict may cost.
const VERDICT_ROUNDS = inFullOr(9, 1)
const FILES = 10
const TESTS = 10
const peers = (name: string) => resolve('bench/peers/node_modules', name)
const FIXTURE = resolve('fixtures/media/clip.mp4')

/** The client of every suite: it orders a video, polls it without a pause, and downloads it where `WITH_FILES` says so. */
const CLIENT = `
export const makeVideo = async (base, key, call = fetch) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
  const tasks = base + '/contents/generations/tasks'
  const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }], resolution: '480p', duration: 4 }
  const { id } = await (await call(tasks, { method: 'POST', headers, body: JSON.stringify(order) })).json()
  let task
  do task = await (await call(tasks + '/' + id, { headers })).json()
  while (task.status !== 'succeeded')
  if (process.env.WITH_FILES !== '1') return 1
  return (await (await call(task.content.video_url)).arrayBuffer()).byteLength
}
`

/** A suite: what its test files begin with, the line of each test, and the other files of its project. */
interface Suite {
  readonly beginning: string
  readonly test: string
  readonly files?: Readonly<Record<string, string>>
  /** The command that runs it; default: vitest. */
  readonly command?: (vitest: readonly string[]) => readonly string[]
}

// A machine under load must not fail what is measured.
const config = (more: string) =>
  `export default { test: { hookTimeout: 300_000, testTimeout: 300_000, ${more} } }\n`

/** A static file server for the results of a mock that has none, and the mock, as vitest starts them before all files. */
const AIMOCK_SETUP = `
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { LLMock } from '@copilotkit/aimock'
export default async ({ provide }) => {
  const files = createServer((_, response) => {
    response.setHeader('content-type', 'video/mp4')
    createReadStream(${JSON.stringify(FIXTURE)}).pipe(response)
  })
  await new Promise((done) => files.listen(0, '127.0.0.1', done))
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  const content = { video_url: 'http://127.0.0.1:' + files.address().port + '/0.mp4' }
  mock.addFixture({ match: { endpoint: 'video', userMessage: /./ }, response: { json: { status: 'succeeded', content } } })
  await mock.start()
  provide('mock', mock.url)
  return async () => {
    await mock.stop()
    files.closeAllConnections()
    files.close()
  }
}
`

const MOCK_AGENT = `
import { readFileSync } from 'node:fs'
import { fetch as call, MockAgent, setGlobalDispatcher } from 'undici'
const agent = new MockAgent()
agent.disableNetConnect()
setGlobalDispatcher(agent)
const pool = agent.get('http://service.test')
const json = { headers: { 'content-type': 'application/json' } }
const path = '/api/v3/contents/generations/tasks'
const task = { id: 'cgt-1', status: 'succeeded', content: { video_url: 'http://service.test/0.mp4' } }
pool.intercept({ path, method: 'POST' }).reply(200, { id: 'cgt-1' }, json).persist()
pool.intercept({ path: path + '/cgt-1' }).reply(200, task, json).persist()
pool.intercept({ path: '/0.mp4' }).reply(200, readFileSync(${JSON.stringify(FIXTURE)})).persist()
`

const WITH_CLIENT =
  "import { expect, inject, test } from 'vitest'\nimport { makeVideo } from './client.mjs'\n"
const WITH_EMULATOR =
  "expect(await makeVideo(emulator.url + '/provB/api/v3', emulator.key)).toBeGreaterThan(0)"

/** The suite of the helper. Its client fetches no file in some runs, which the verdict would tell. */
const helperSuite = (options: string): Suite => ({
  beginning: `${WITH_CLIENT}import { useEmulator } from 'backlot/vitest'
const emulator = useEmulator({ mediaCache: process.env.SUITE_CACHE${options} })\n`,
  test: WITH_EMULATOR,
})

const JUDGED = `${OURS} with verdict` as const

const suites = {
  empty: { beginning: "import { expect, test } from 'vitest'\n", test: 'expect(1).toBe(1)' },
  [OURS]: helperSuite(''),
  [JUDGED]: helperSuite(", verdict: true, allow: ['never-fetched']"),
  'Backlot set-up': {
    beginning: `${WITH_CLIENT}import { useEmulator } from 'backlot/vitest'\nconst emulator = useEmulator()\n`,
    test: WITH_EMULATOR,
    files: {
      'setup.mjs': `import { globalSetup } from 'backlot/vitest/global-setup'
export default globalSetup({ mediaCache: process.env.SUITE_CACHE })\n`,
      'vitest.config.mjs': config("globalSetup: './setup.mjs'"),
    },
  },
  'Backlot exec': {
    beginning: WITH_CLIENT,
    test: "expect(await makeVideo(process.env.VIDEO_BASE, 'key-' + KEY)).toBeGreaterThan(0)",
    command: (vitest) => {
      const options = ['--timing', 'instant', '--set', `mediaCache=${process.env.SUITE_CACHE}`]
      const base = ['--env', 'VIDEO_BASE={url}/provB/api/v3']
      return [
        join('..', 'node_modules', 'backlot', 'dist', 'cli.js'),
        'exec',
        '--quiet',
        ...options,
        ...base,
        '--',
        process.execPath,
        ...vitest,
      ]
    },
  },
  aimock: {
    beginning: WITH_CLIENT,
    test: "expect(await makeVideo(inject('mock') + '/api/v3', 'key')).toBeGreaterThan(0)",
    files: {
      'setup.mjs': AIMOCK_SETUP,
      'vitest.config.mjs': config("globalSetup: './setup.mjs'"),
    },
  },
  'undici MockAgent': {
    beginning: `${WITH_CLIENT}${MOCK_AGENT}`,
    test: "expect(await makeVideo('http://service.test/api/v3', 'key', call)).toBeGreaterThan(0)",
  },
} satisfies Record<string, Suite>

type Name = keyof typeof suites

/**
 * Installs what the suites import. The package is copied, as npm would do: vitest transforms the files of a package that is
 * linked, and runs them more slowly than those of an installed one.
 */
const installModules = (folder: string): void => {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.')) symlinkSync(resolve('node_modules', name), join(modules, name), 'junction')
  for (const name of ['undici', '@copilotkit']) {
    rmSync(join(modules, name), { recursive: true, force: true })
    if (hasPeers()) symlinkSync(peers(name), join(modules, name), 'junction')
  }
  for (const name of ['package.json', 'dist', 'assets', 'fixtures', 'scenarios'])
    cpSync(name, join(modules, 'backlot', name), { recursive: true })
}

/** Writes the project of a suite: ten files of ten tests. */
const projectOf = (folder: string, name: Name): string => {
  const { beginning, test, files = {} }: Suite = suites[name]
  const home = join(folder, name.replaceAll(' ', '-'))
  mkdirSync(home)
  const tests = (file: number) =>
    Array.from({ length: TESTS }, (_, nth) => {
      const line = test.replace('KEY', `'${file}-${nth}'`)
      return `test('video ${nth}', async () => { ${line} })\n`
    }).join('')
  const testFiles = Array.from({ length: FILES }, (_, file) => [
    `suite-${file}.test.mjs`,
    beginning + tests(file),
  ])
  const all: Readonly<Record<string, string>> = {
    'client.mjs': CLIENT,
    'vitest.config.mjs': config(''),
    ...Object.fromEntries(testFiles),
    ...files,
  }
  for (const [file, text] of Object.entries(all)) writeFileSync(join(home, file), text)
  return home
}

/** Seconds of a run of a suite. @throws Error when a test of it fails */
const run = async (home: string, name: Name, withFiles: boolean): Promise<number> => {
  const vitest = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot']
  const { command = (line) => line }: Suite = suites[name]
  const ms = await timed(() => {
    const env = { ...process.env, WITH_FILES: withFiles ? '1' : '0', VITEST: undefined, NO_COLOR: '1' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [...command(vitest)], {
      ...{ cwd: home, encoding: 'utf8', env },
    })
    if (status !== 0) throw new Error(`The suite ${name} failed:\n${stdout}${stderr}`)
  })
  return ms / 1_000
}

/**
 * What a test suite feels: one hundred tests of vitest in ten files, each of which orders a video, polls it and downloads it,
 * beside the same suite on mocks that serve one canned file.
 */
export const suite = async (): Promise<Table[]> => {
  const names = (Object.keys(suites) as Name[]).filter(
    (name) => name !== JUDGED && (hasPeers() || name === 'empty' || name.startsWith(OURS)),
  )
  const folder = mkdtempSync(join(tmpdir(), 'backlot-suite-'))
  const cache = (state: string) => join(folder, `cache-${state}`)
  try {
    installModules(folder)
    const homes = Object.fromEntries(
      [...names, JUDGED as Name].map((name) => [name, projectOf(folder, name)]),
    ) as Record<Name, string>
    const measure = (withFiles: boolean, isCold: boolean) =>
      byTurns(names, ROUNDS, (name) => {
        process.env.SUITE_CACHE = cache(name.replaceAll(' ', '-'))
        if (isCold) rmSync(process.env.SUITE_CACHE, { recursive: true, force: true })
        return run(homes[name], name, withFiles)
      })
    const overEmpty = (of: Readonly<Record<string, readonly number[]>>) => {
      const empty = median(of.empty ?? [])
      const others = Object.entries(of).filter(([name]) => name !== 'empty')
      return Object.fromEntries(others.map(([name, seconds]) => [name, Math.max(0, median(seconds) - empty)]))
    }
    const without = await measure(false, false)
    const cold = await measure(true, true)
    // The cold runs have filled the caches.
    const warm = await measure(true, false)
    process.env.SUITE_CACHE = cache(OURS)
    const judged = await byTurns([OURS, JUDGED] as const, VERDICT_ROUNDS, (name) =>
      run(homes[name], name, true),
    )
    const ratio = median(judged[JUDGED].map((seconds, round) => seconds / (judged[OURS][round] as number)))
    const times = { times: 'aimock' }
    const exec = (value: number) => atMost(value, { ...times, column: 'Backlot exec' })
    return [
      {
        title: `A suite of ${FILES * TESTS} tests in ${FILES} files, beyond an empty one`,
        note: `Medians of ${ROUNDS} runs of vitest each. ${OURS}: an emulator in each file (useEmulator). ${OURS} set-up: the same files with one emulator for all of them (global set-up). aimock: in a global set-up, with a static file server. The empty suite takes ${median(without.empty ?? []).toFixed(1)} s.`,
        rows: [
          row('without files', 's', overEmpty(without), atMost(1.3, times), exec(1)),
          row('with files, cold cache', 's', overEmpty(cold), atMost(2, times)),
          row('with files, warm cache', 's', overEmpty(warm), atMost(1.3, times)),
        ],
      },
      {
        title: 'What the verdict costs such a suite',
        note: `Median of ${VERDICT_ROUNDS} turns of whole runs, with files and a warm cache.`,
        rows: [row('with verdict: true, against without', 'x', ratio, atMost(1.03))],
      },
    ]
  } finally {
    delete process.env.SUITE_CACHE
    rmSync(folder, { recursive: true, force: true })
  }
}
