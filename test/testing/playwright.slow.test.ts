import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../src/index.js'
import { projectWith } from './project.js'

interface Result {
  readonly status: string
  readonly error?: { readonly message?: string }
  readonly attachments: readonly { readonly name: string; readonly body?: string }[]
}
interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly { readonly results: readonly Result[] }[]
  }[]
}

const TIMEOUT_MS = 150_000

const specsIn = (suite: Suite): Suite['specs'] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsIn)]

/** Runs tests of Playwright with the built package, and returns the last result of each test by its title. */
const resultsOf = async (
  spec: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Readonly<Record<string, Result>>> => {
  const folder = projectWith({
    'package.json': '{ "name": "shop", "type": "module" }',
    'playwright.config.js': `export default ${JSON.stringify({ testDir: 'test', workers: 1, ...config })}`,
    'test/shop.spec.js': `import { expect, test } from 'backlot/playwright'\n${spec}`,
  })
  symlinkSync(resolve('node_modules/@playwright'), join(folder, 'node_modules', '@playwright'), 'junction')
  const environment = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_|BACKLOT_)/.test(name))
  const cli = resolve('node_modules/@playwright/test/cli.js')
  // The emulator of a test here answers meanwhile. A failed test is an exit code, not an error.
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((settle) =>
    execFile(
      process.execPath,
      [cli, 'test', '--reporter', 'json'],
      { cwd: folder, timeout: TIMEOUT_MS, env: Object.fromEntries(environment) },
      (_, stdout, stderr) => settle({ stdout, stderr }),
    ),
  )
  const report = stdout.startsWith('{')
    ? (JSON.parse(stdout) as Suite & { errors: readonly unknown[] })
    : undefined
  if (report === undefined) throw new Error(`${stdout}\n${stderr}`)
  expect(report.errors).toEqual([])
  return Object.fromEntries(
    (report.suites ?? [])
      .flatMap(specsIn)
      .map(({ title, tests }) => [title, tests[0]?.results.at(-1) as Result]),
  )
}

const timelineOf = (result: Result | undefined): string | undefined => {
  const attached = result?.attachments.find(({ name }) => name === 'backlot timeline')
  return attached?.body && Buffer.from(attached.body, 'base64').toString()
}

const PICTURE = `
const order = (emulator, prompt = 'a lighthouse', path = '/provA/api/v1/services/aigc/multimodal-generation/generation') =>
  fetch(emulator.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + emulator.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
    }),
  })
`

test(
  'a worker has an emulator, and each test an account of its own, which is looked through at its end',
  async () => {
    const results = await resultsOf(`${PICTURE}
    const keys = []
    test('one', async ({ emulator, emulatorOfWorker }) => {
      keys.push(emulator.key)
      await order(emulator)
      await expect(emulator).toHaveReceived('a-image.*', { times: 1 })
      expect(emulatorOfWorker.url).toBe(emulator.url)
    })
    test('two', async ({ emulator }) => {
      expect(keys).not.toContain(emulator.key)
      await expect(emulator).toHaveReceived('a-image.*', { times: 0 })
      const other = await emulator.freshAccount({ like: 'no-balance' })
      expect(other.key).toMatch(/^no-balance/)
    })
    test('lost', async ({ emulator }) => void (await order(emulator, 'x', '/v1/chat/completions')))
    test('allowed', async ({ emulator }) => {
      emulator.allow('unexpected-calls')
      await order(emulator, 'x', '/v1/chat/completions')
    })
    test('wrong', async ({ emulator }) => {
      await order(emulator)
      expect(1).toBe(2)
    })
  `)
    const statuses = Object.entries(results).map(([title, { status }]) => [title, status])
    expect(Object.fromEntries(statuses)).toEqual({
      ...{ one: 'passed', two: 'passed', allowed: 'passed' },
      ...{ lost: 'failed', wrong: 'failed' },
    })
    expect(results.lost?.error?.message).toContain('Calls that the service does not have')
    expect(timelineOf(results.one)).toBeUndefined()
    expect(timelineOf(results.wrong)).toContain('POST /provA/api/v1/services/aigc')
  },
  TIMEOUT_MS,
)

test(
  'options name an emulator that runs, and the one key of the app, for one worker alone',
  async () => {
    const emulator = await startEmulator()
    onTestFinished(() => emulator.stop())
    const spec = `${PICTURE}
    for (const name of ['one', 'two'])
      test(name, async ({ emulator }) => {
        expect(emulator.url).toBe('${emulator.url}')
        expect(emulator.key).toBe('app-key')
        await order(emulator)
        await expect(emulator).toHaveReceived('a-image.*', { times: 1 })
      })
  `
    const use = { emulatorOptions: { url: emulator.url, key: 'app-key' } }
    const results = await resultsOf(spec, { use })
    expect(Object.values(results).map(({ status }) => status)).toEqual(['passed', 'passed'])
    const refused = await resultsOf(spec, { use, workers: 2, fullyParallel: true })
    expect(refused.one).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('2 workers would have one account') },
    })
  },
  TIMEOUT_MS,
)
