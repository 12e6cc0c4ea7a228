import { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { filled, readTemplates, runCommand } from '../../src/command/child-process.js'
import { folderWith } from '../command/settings/sources.js'
import { backlot, ended, endedHere, hasSignals } from './backlot.js'

/** A command that runs some code in Node. */
const node = (code: string): string[] => [process.execPath, '-e', code]

const asksForHealth = 'fetch(process.env.BACKLOT_URL + "/_backlot/health").then((a) => console.log(a.status))'

test('the emulator answers before the command begins', async () => {
  expect(await ended(['exec', '--', ...node(asksForHealth)])).toEqual({ code: 0, out: '200\n', err: '' })
})

test.each([0, 1, 7])('exec exits with the code of the command: %i', async (code) => {
  expect((await ended(['exec', '--', ...node(`process.exit(${code})`)])).code).toBe(code)
})

const order = node(
  `fetch(process.env.BACKLOT_URL + '/provB/api/v3/contents/generations/tasks', {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a tram' }] }),
  }).then((answer) => process.exit(Number(process.argv[1] ?? 0)))`,
)

test.each([
  [[], order, 0],
  [['--verdict'], order, 1],
  [['--verdict', '--allow', 'abandoned-task'], order, 0],
  [['--verdict'], [...order, '7'], 7],
] as const)('exec %j exits as its command, or with 1 over a finding', async (options, command, code) => {
  const run = await endedHere(['exec', ...options, '--', ...command])
  expect(run.code).toBe(code)
  const isFound = options[0] === '--verdict' && options.length === 1
  expect(run.err).toMatch(isFound ? /^backlot: abandoned-task: cgt-\S+ of / : /^$/)
})

test.each([
  [['--allow', 'polled-on'], '--allow is for findings of the verdict.'],
  [['--verdict', '--allow', 'poled-on'], 'there is no finding "poled-on": did you mean polled-on?'],
] as const)('exec %j is refused', async (options, sentence) => {
  const { code, err } = await endedHere(['exec', ...options, '--', ...node('')])
  expect(code).toBe(2)
  expect(err).toContain(sentence)
})

test.skipIf(!hasSignals).each([
  ['SIGTERM', 143],
  ['SIGKILL', 137],
])('a command that %s has ended gives %i', async (signal, code) => {
  const kills = node(`process.kill(process.pid, "${signal}"); setInterval(() => {}, 1000)`)
  expect((await ended(['exec', '--', ...kills])).code).toBe(code)
})

test('variables are filled in, and other braces stay', async () => {
  const print = node('console.log(process.env.A, process.env.B, process.env.BACKLOT_URL)')
  const variables = ['--env', 'A={url}/provB/api/v3', '--env', 'B={port}{"x":{}}=1']
  const { out } = await ended(['exec', ...variables, '--', ...print])
  const [a, b, url] = out.trim().split(' ')
  expect(a).toBe(`${url}/provB/api/v3`)
  expect(b).toBe(`${new URL(url ?? '').port}{"x":{}}=1`)
})

const printsNoProxy = node('console.log(JSON.stringify([process.env.NO_PROXY, process.env.no_proxy]))')

const proxies: readonly [string, Record<string, string>, (string | null)[]][] = [
  ['a proxy', { HTTP_PROXY: 'http://proxy:8080' }, ['127.0.0.1', '127.0.0.1']],
  [
    'a proxy and exemptions',
    { all_proxy: 'x', NO_PROXY: 'a.test,.b.test' },
    ['a.test,.b.test,127.0.0.1', 'a.test,.b.test,127.0.0.1'],
  ],
  [
    'a proxy and exemptions in both variables',
    { HTTP_PROXY: 'x', no_proxy: 'a.test', NO_PROXY: 'b.test' },
    ['a.test,b.test,127.0.0.1', 'a.test,b.test,127.0.0.1'],
  ],
  ['a proxy from which everything is exempt', { http_proxy: 'x', no_proxy: '*' }, [null, '*']],
  ['no proxy', { NO_PROXY: 'a.test' }, ['a.test', null]],
]

// On Windows both names are one variable.
test.each(process.platform === 'win32' ? proxies.slice(0, 2) : proxies)(
  'the emulator is exempt from the proxy of an environment with %s',
  async (_, environment, expected) => {
    const { out } = await ended(['exec', '--', ...printsNoProxy], { environment })
    expect(JSON.parse(out)).toEqual(expected)
  },
)

test('a variable of --env replaces what exempts the emulator from a proxy', async () => {
  const options = ['--env', 'NO_PROXY=c.test', '--env', 'no_proxy=c.test']
  const environment = { HTTP_PROXY: 'http://proxy:8080' }
  const { out } = await ended(['exec', ...options, '--', ...printsNoProxy], { environment })
  expect(JSON.parse(out)).toEqual(['c.test', 'c.test'])
})

test.each([
  ['X={url}/{prot}', '--env X has {prot}, and only {url} and {port} are filled in: did you mean {port}?'],
  ['X={key}', '--env X has {key}, and only {url} and {port} are filled in.'],
])('an unknown placeholder is refused: %s', async (variable, message) => {
  const { code, err } = await endedHere(['exec', '--env', variable, '--', 'true'])
  expect({ code, message: err.split('\n')[0] }).toEqual({ code: 2, message: `backlot: ${message}` })
})

// biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, as it is written there
test.each(['{}', '{"a":{"b":1}}', '\\d{3}', '${HOME}', '{ x }', '{a,b}'])('%s is no placeholder', (text) =>
  expect(filled(readTemplates([`X=${text}`]), { url: 'u', port: 1 })).toEqual({ X: text }),
)

test.each(['A', '1A=x', '=x', 'A B=x'])('--env %s is refused', async (variable) => {
  const { code, err } = await endedHere(['exec', '--env', variable, '--', 'true'])
  expect(code).toBe(2)
  expect(err).toContain(`--env wants NAME=TEMPLATE, found ${JSON.stringify(variable)}.`)
})

test('a command that does not exist gives 127', async () => {
  const { code, err } = await ended(['exec', '--', 'no-such-command-here'])
  expect({ code, err }).toEqual({ code: 127, err: 'backlot: There is no command no-such-command-here.\n' })
})

// Windows finds no program there.
test.skipIf(process.platform === 'win32').each([
  ['a folder', '/'],
  ['a path through a file', `${import.meta.filename}/x`],
])('%s cannot be run, which gives 126', async (_, command) => {
  const { code, err } = await ended(['exec', '--', command])
  expect({ code, err }).toEqual({ code: 126, err: expect.stringMatching(/ cannot be run: spawn .*\.\n$/) })
})

test.each([[[]], [['']]])('no command is wrong usage: %j', async (command) => {
  const { code, err } = await endedHere(['exec', '--', ...command])
  expect(code).toBe(2)
  expect(err).toBe('backlot: `backlot exec` wants a command to run.\nFor example: backlot exec -- npm test\n')
})

test('options behind the command are the command’s', async () => {
  const print = ['-e', 'console.log(process.argv.slice(1).join())', '--']
  const { out } = await ended(['exec', '--seed', '3', process.execPath, ...print, '--port', 'x', '--help'])
  expect(out).toBe('--port,x,--help\n')
})

test('input and output are the command’s own', async () => {
  const { out, err } = await ended(['exec', '--', ...node('console.log("a"); console.error("b")')])
  expect({ out, err }).toEqual({ out: 'a\n', err: 'b\n' })
})

test('with --log, requests and events are on standard error', async () => {
  const { out, err } = await ended(['exec', '--log', '--', ...node(callsOnce)])
  expect(out).toBe('')
  expect(err).toMatch(/^\d\d:\d\d:\d\dZ {2}GET {2}\/v1\/videos\/x {2}401 .*\n$/)
})

const callsOnce = 'fetch(process.env.BACKLOT_URL + "/v1/videos/x")'

test('with --json, events are on standard error', async () => {
  const { out, err } = await ended(['exec', '--json', '--', ...node(callsOnce)])
  const events = err.trim().split('\n')
  expect(out).toBe('')
  expect(events.map((line) => JSON.parse(line).event)).toEqual(['ready', 'request', 'stopped'])
})

test.skipIf(!hasSignals).each(['SIGINT', 'SIGTERM', 'SIGUSR2'] as const)(
  '%s is passed on, and the command decides',
  async (signal) => {
    const waits = node(
      `process.on("${signal}", () => process.exit(5)); console.log("up"); setInterval(() => {}, 1000)`,
    )
    const running = backlot(['exec', '--', ...waits])
    await running.line((line) => line === 'up')
    running.process.kill(signal)
    expect((await running.ended).code).toBe(5)
  },
)

test('on Windows, whose console sends its signals to the command as well, none is passed on', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  const on = vi.spyOn(process, 'on').mockReturnThis()
  const kill = vi.spyOn(ChildProcess.prototype, 'kill')
  const running = runCommand(node(''), process.env)
  const listeners = on.mock.calls.filter(([name]) => name === 'SIGINT').map(([, listener]) => listener)
  for (const listener of listeners) listener('SIGINT')
  expect(await running).toEqual({ code: 0, isMissing: false })
  expect([listeners.length, kill.mock.calls]).toEqual([2, []])
})

test.skipIf(!hasSignals)(
  'a signal that the system does not pass on is told, and the emulator stays with the command',
  async () => {
    // As for a command that runs as another user.
    const folder = await folderWith({
      'backlot.config.mjs': `import { ChildProcess } from 'node:child_process'
ChildProcess.prototype.kill = function () { this.emit('error', new Error('kill EPERM')) }
export default {}
`,
    })
    // Where the test fails it ends by itself.
    const waits = node('console.log(process.pid); setTimeout(() => {}, 60_000)')
    const running = backlot(['exec', '--', ...waits], { folder })
    const pid = Number(await running.line())
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const notice = once(running.process.stderr as NodeJS.ReadableStream, 'data')
      running.process.kill(signal)
      await notice
    }
    process.kill(pid, 'SIGKILL')
    const err = 'backlot: A signal did not reach the command: kill EPERM.\n'.repeat(2)
    expect(await running.ended).toEqual({ code: 137, out: `${pid}\n`, err })
  },
)

test.skipIf(!hasSignals)(
  'the second signal ends it once its command has ended, and the first does not',
  async () => {
    const folder = await folderWith({
      'backlot.config.mjs': `import { Server } from 'node:http'
Server.prototype.close = () => console.log('stopping, for ever')
process.on('SIGINT', () => console.log('told'))
export default {}
`,
    })
    const running = backlot(['exec', '--', ...node('')], { folder })
    await running.line((line) => line.startsWith('stopping'))
    running.process.kill('SIGINT')
    // Of two signals at once, the system may pass on the second one first.
    await running.line((line) => line === 'told')
    running.process.kill('SIGTERM')
    expect((await running.ended).code).toBe(143)
  },
)

test('a port of the environment is not taken, that of a flag is', async () => {
  const print = node('console.log(process.env.BACKLOT_URL)')
  const { out } = await ended(['exec', '--', ...print], { environment: { BACKLOT_PORT: '1' } })
  expect(new URL(out.trim()).port).not.toBe('1')
  const refused = await ended(['exec', '--port', '65536', '--', ...print])
  expect(refused).toMatchObject({ code: 2, out: '' })
})

test('the command is told the token of the control API', async () => {
  const ask =
    'fetch(process.env.BACKLOT_URL + "/_backlot/clock", { headers: { "x-backlot-token": process.env.BACKLOT_CONTROL_TOKEN } }).then((a) => console.log(a.status))'
  expect((await ended(['exec', '--control-token', 'secret', '--', ...node(ask)])).out).toBe('200\n')
})
