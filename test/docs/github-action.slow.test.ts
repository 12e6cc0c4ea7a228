import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { inLanguages } from './blocks.js'
import { bash, hasBash } from './shell.js'

const action = parse(readFileSync('action.yml', 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

interface Step {
  readonly id: string
  readonly shell: string
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

const folder = mkdtempSync(join(tmpdir(), 'backlot-action-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stepNamed = (id: string): Step => {
  const step = action.runs.steps.find((one) => one.id === id)
  if (step === undefined) throw new Error(`action.yml has no step ${id}.`)
  return step
}

/** Runs a step as a runner does, with the files to which it writes what it has to say, in a folder of its own. */
const runStep = async (id: string, environment: Readonly<Record<string, string>>) => {
  const temp = mkdtempSync(join(folder, 'run-'))
  onTestFinished(() => stopLeft(join(temp, 'backlot.jsonl')))
  const files = { GITHUB_ENV: join(temp, 'env'), GITHUB_OUTPUT: join(temp, 'output') }
  const ran = await bash(stepNamed(id).run, temp, {
    RUNNER_TEMP: temp,
    TMPDIR: temp,
    ...files,
    ...environment,
  })
  const contentOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return { ...ran, variables: contentOf(files.GITHUB_ENV), outputs: contentOf(files.GITHUB_OUTPUT) }
}

/** Ends what a step has left running, by the process id in its log. */
const stopLeft = (log: string) => {
  const [line = ''] = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  if (line.startsWith('{')) process.kill(JSON.parse(line).pid, 'SIGTERM')
}

/** A port on which nothing listens. */
const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

test('the action is a composite action whose steps name their shell and inputs', () => {
  expect(action.runs.using).toBe('composite')
  for (const { shell, env } of action.runs.steps) {
    expect(shell).toBe('bash')
    for (const value of Object.values(env))
      expect(value).toMatch(/^\$\{\{ (inputs|steps|github)\.[\w.]+ \}\}$/)
  }
})

test('the inputs, steps and outputs that the action names exist', () => {
  const text = readFileSync('action.yml', 'utf8')
  for (const [, name] of text.matchAll(/inputs\.(\w+)/g)) expect(Object.keys(action.inputs)).toContain(name)
  for (const [, id = '', output] of text.matchAll(/steps\.(\w+)\.outputs\.(\w+)/g))
    expect(stepNamed(id).run).toContain(`${output}=`)
  for (const { run } of action.runs.steps) expect(run).not.toMatch(/\$\{\{/)
})

test.skipIf(!hasBash)('an emulator that the step starts answers to the steps that follow', async () => {
  const port = await freePort()
  const { code, out, err, variables, outputs } = await runStep('start', {
    ...{ CLI: resolve('dist/cli.js'), PORT: port, OPTIONS: '--seed 7 --callback-hosts *', WAIT: '20s' },
  })
  expect(code, out + err).toBe(0)
  expect(variables).toBe(`BACKLOT_URL=http://127.0.0.1:${port}\n`)
  expect(outputs).toContain(`url=http://127.0.0.1:${port}\n`)
  const { items } = (await (await fetch(`http://127.0.0.1:${port}/_backlot/gaps`)).json()) as {
    items: { id: string; settings: unknown }[]
  }
  expect(items.find(({ id }) => id === 'Z2')?.settings).toEqual({ callbackHosts: ['*'] })
})

test.skipIf(!hasBash).each([
  ['a proxy', { HTTP_PROXY: 'http://proxy:8080', NO_PROXY: 'a.test' }, 'a.test,127.0.0.1'],
  [
    'a proxy and both variables',
    { all_proxy: 'x', no_proxy: 'a.test', NO_PROXY: 'b.test' },
    'a.test,b.test,127.0.0.1',
  ],
  [
    'a proxy from which everything is exempt',
    { https_proxy: 'x', HTTP_PROXY: 'x', NO_PROXY: '*' },
    undefined,
  ],
  ['no proxy', { NO_PROXY: 'a.test' }, undefined],
])(
  'in an environment with %s, the steps that follow call the emulator itself',
  async (_, environment, exempt) => {
    const port = await freePort()
    const { code, out, err, variables } = await runStep('start', {
      ...{ CLI: resolve('dist/cli.js'), PORT: port, OPTIONS: '', WAIT: '20s' },
      ...environment,
    })
    expect(code, out + err).toBe(0)
    const added = exempt === undefined ? '' : `no_proxy=${exempt}\nNO_PROXY=${exempt}\n`
    expect(variables).toBe(`BACKLOT_URL=http://127.0.0.1:${port}\n${added}`)
  },
)

test.skipIf(!hasBash)('a step whose emulator does not start fails, and says why', async () => {
  const { code, out, variables } = await runStep('start', {
    ...{ CLI: resolve('dist/cli.js'), PORT: '1', OPTIONS: '--clock stopped', WAIT: '500ms' },
  })
  expect(code).toBe(1)
  expect(out).toContain('--clock must be one of live, paused, on-poll')
  expect(variables).toBe('')
})

test.skipIf(!hasBash).each(['sweep', 'coverage'])(
  'the step %s runs the command, and fails as it does',
  async (id) => {
    const run = (command: string) =>
      runStep(id, { CLI: resolve('dist/cli.js'), COMMAND: command, OPTIONS: '--seed 7' })
    const { code, out, err } = await run(`'${process.execPath}' -e 'fetch(process.env.BACKLOT_URL + "/a")'`)
    expect(code, out + err).toBe(0)
    expect((await run('exit 3')).code).not.toBe(0)
    expect((await run(`false\n'${process.execPath}' -e 'fetch(process.env.BACKLOT_URL)'`)).code).not.toBe(0)
  },
  60_000,
)

test('the pages use only inputs that the action has', () => {
  const uses = inLanguages('yaml').flatMap(({ code }) => [
    ...code.matchAll(/uses: \S*backlot\S*\n\s+with:\n((?:\s+\w+: .*\n)+)/g),
  ])
  expect(uses.length).toBeGreaterThan(0)
  for (const [, given = ''] of uses)
    for (const [, name] of given.matchAll(/^\s+(\w+):/gm)) expect(Object.keys(action.inputs)).toContain(name)
})
