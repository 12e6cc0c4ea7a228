import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHandles } from '../../../src/emulator/client/handles.js'
import { valueAt } from '../../../src/emulator/core/request.js'
import {
  connectEmulator,
  EmulatorError,
  type EmulatorSettings,
  type RunningEmulator,
  startEmulator,
} from '../../../src/index.js'
import { clientOf } from '../../emulator.js'
import { handlesKeepTheirPromises } from './conformance.js'

const start = async (settings: EmulatorSettings = {}) => {
  const emulator = await startEmulator(settings)
  onTestFinished(() => emulator.stop())
  return emulator
}

describe('startEmulator', () => handlesKeepTheirPromises(start))

describe('connectEmulator', () =>
  handlesKeepTheirPromises(async (settings) => connectEmulator((await start(settings)).url)))

/** `clock.advance`, `tasks.list`, `reset` and every other that can be called. */
const namesIn = (handles: object, before = ''): string[] =>
  Object.entries(handles).flatMap(([name, value]) => {
    if (typeof value === 'function') return [before + name]
    return typeof value === 'object' ? namesIn(value, `${before}${name}.`) : []
  })

test('there is no handle that is not tried on both', () => {
  const tried = readFileSync('test/emulator/client/conformance.ts', 'utf8')
  const unused = () => Promise.reject(new Error('Nothing is called.'))
  const calls = [
    ...namesIn(createHandles('', unused)).map((name) => `account.${name}(`),
    ...['account', 'resetAll', 'finishAll', 'verdictAll'].map((name) => `emulator.${name}(`),
  ]
  expect(calls.filter((call) => !tried.includes(call))).toEqual([])
})

test('a price of a model or a resolution that there is not is refused at the start', async () => {
  const prices = {
    'gamma-H3 2K': 1,
    'gamma-H3': 1,
    'videoa-2-0-26128 720p': 0.2,
    'alpha-image-3.0-pro': 1,
    'gamma-H3 1080P': 1,
  }
  await expect(start({ prices })).rejects.toMatchObject({
    code: 'bad-setting',
    sentence:
      'prices: there are no videos of "videoa-2-0-26128 720p", "alpha-image-3.0-pro", "gamma-H3 1080P".',
    hint:
      'Possible are videoa-2-0-260128, videoa-2-0-fast-260128, beta2.7-r2v, gamma-H3, gamma-H3-Max, videoa-2-0-260128 480p, ' +
      'videoa-2-0-260128 720p, videoa-2-0-260128 1080p, videoa-2-0-fast-260128 480p, videoa-2-0-fast-260128 720p, ' +
      'beta2.7-r2v 720P, beta2.7-r2v 1080P, gamma-H3 768P, gamma-H3 2K, gamma-H3-Max 480P, gamma-H3-Max 768P.',
  })
})

test('a URL of the environment where nothing answers is told as that', async () => {
  const url = 'http://127.0.0.1:1'
  const hintOf = async () =>
    (
      await connectEmulator(url)
        .read()
        .catch((error) => error)
    ).hint
  expect(await hintOf()).toContain('or name the URL at which it runs')
  vi.stubEnv('BACKLOT_URL', url)
  expect(await hintOf()).toContain('unset BACKLOT_URL, which names it')
})

test('connecting takes an address with a slash, the key of an account and the token', async () => {
  const { url } = await start({ controlToken: 'open-sesame' })
  const emulator = connectEmulator(`${url}/`, { key: 'alice', token: 'open-sesame' })
  expect(emulator.key).toBe('alice')
  expect((await emulator.read()).balance).toBe(1_000_000)
  const stranger = connectEmulator(url, { token: 'wrong' })
  await expect(stranger.read()).rejects.toMatchObject({ code: 'token-needed', name: 'EmulatorError' })
})

test('a setting that is undefined has the default of startEmulator', async () => {
  const [one, other] = [await start({ port: undefined, clock: undefined }), await start({ port: undefined })]
  expect(one.port).not.toBe(other.port)
  expect((await one.clock.read()).mode).toBe('on-poll')
})

test('a port that another emulator has is an error that names it', async () => {
  const { port } = await start()
  await expect(startEmulator({ port })).rejects.toMatchObject({
    code: 'port-taken',
    sentence: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken by another Backlot (version `),
    hint: expect.stringContaining('`port: 0` in code'),
  })
})

describe('what waits when the emulator stops ends at once', () => {
  test.each([
    ['in this process', 'stopped', (emulator: RunningEmulator) => emulator],
    ['over HTTP', 'unreachable', ({ url }: RunningEmulator) => connectEmulator(url)],
  ])('%s', async (_, code, handlesOf) => {
    const emulator = await start({ clock: 'paused' })
    const handles = handlesOf(emulator)
    const timeout = '1h'
    const id = await clientOf(emulator.url, emulator.key).createB()
    const waits = [
      handles.tasks.waitFor(id, 'succeeded', { timeout }),
      handles.requests.waitFor({ status: 503 }, { timeout }),
      handles.callbacks.waitFor({}, { timeout }),
      handles.inbox('hook').waitFor({ timeout }),
      handles.idle({ timeout }),
    ]
    const ended = Promise.allSettled(waits)
    // Answered after the waits have begun.
    await handles.clock.read()
    await emulator.stop()
    for (const outcome of await ended) expect(outcome).toMatchObject({ reason: { code } })
    await expect(handles.idle({ timeout })).rejects.toMatchObject({ code })
  })
})

test('a wait fails before vitest and Jest end its test after five seconds, unless it is told how long', async () => {
  const asked: unknown[] = []
  const handles = createHandles('', async (_, input) => {
    asked.push(Reflect.get(input, 'timeout'))
    throw new Error('Nothing has happened.')
  })
  for (const options of [undefined, {}, { timeout: undefined }, { timeout: '1h' }])
    await handles.idle(options as { timeout: '1h' }).catch(() => {})
  expect(asked).toEqual(['4000ms', '4000ms', '4000ms', '3600000ms'])
})

const takeNothing = [
  ...['clock.read', 'requests.inFlight', 'scenario.steps', 'scenario.unused', 'read', 'timeline'],
  'looseEnds',
  ...['verdict', 'verdictAll'],
  ...['reset', 'resetAll', 'snapshot', 'stop'],
]

test('every method that takes something refuses null, and names the argument', async () => {
  const emulator = await start()
  const accepting: string[] = []
  for (const name of namesIn(emulator)) {
    const method = valueAt(emulator, name.split('.')) as (given: unknown) => unknown
    const error: unknown = await (async () => method(null))().catch((thrown: unknown) => thrown)
    if (!(error instanceof EmulatorError) || error.code !== 'bad-argument') accepting.push(name)
    else
      expect(error).toMatchObject({
        sentence: expect.stringMatching(new RegExp(`^${name}: \\w+ must be .*, found null\\.$`)),
      })
  }
  expect(accepting.sort()).toEqual(takeNothing.sort())
})

/** A scenario whose only step answers with a body. */
const answering = (body: unknown) => ({
  name: 'answering',
  description: 'Every list is another.',
  steps: [{ when: { operation: 'b-video-task.list' as const }, then: { answer: { body } } }],
})

const ring: { next?: object } = {}
ring.next = ring

const ADVANCE =
  "clock.advance: how must be a duration such as 10s or a number of milliseconds, or an object such as { to: 'next' }"
const RESTORE = 'restore: snapshot must be what snapshot() has resolved with, an object with its id'

test.each<[string, string, unknown[], string]>([
  ['no snapshot', 'restore', [], `${RESTORE}, found nothing.`],
  ['a snapshot without its id', 'restore', [{}], `${RESTORE}, found {}.`],
  [
    'a task in place of its id',
    'tasks.get',
    [{ id: 'cgt-1' }],
    'tasks.get: id must be a string that is not empty, found {"id":"cgt-1"}.',
  ],
  [
    'no status',
    'tasks.force',
    ['x'],
    'tasks.force: status must be a string that is not empty, found nothing.',
  ],
  [
    'options in place of a status',
    'tasks.waitFor',
    ['x', { timeout: 100 }],
    'tasks.waitFor: status must be a status such as \'succeeded\', and options come after it, found {"timeout":100}.',
  ],
  [
    'a word in place of a selector',
    'fail',
    ['b-video-task.create', { error: 'ServerOverloaded', when: 'second' }],
    'fail: when must be an object, found "second".',
  ],
  ['another key of a time', 'clock.advance', [{ by: '1s' }], `${ADVANCE}, found {"by":"1s"}.`],
  ['a date that is none', 'clock.advance', [{ to: new Date('soon') }], `${ADVANCE}, found {"to":{}}.`],
  [
    'a failure without how',
    'fail',
    ['b-video-task.create'],
    "fail: failing must be an object such as { error: 'ServerOverloaded' }, found nothing.",
  ],
  ['a function in place of a time', 'clock.advance', [() => '1s'], `${ADVANCE}, found a function.`],
  ['a bigint in place of a time', 'clock.advance', [5n], `${ADVANCE}, found "5n".`],
  [
    'a body that is a function',
    'scenario.play',
    [answering(() => 'ok')],
    'scenario.play: scenario.steps[0].then.answer.body must be a JSON value, found a function.',
  ],
  [
    'a body with a bigint in it',
    'fail',
    ['b-video-task.create', { body: { ids: [1n] } }],
    'fail: failing.body.ids[0] must be a JSON value, found a bigint.',
  ],
  [
    'a body that contains itself',
    'scenario.play',
    [answering(ring)],
    'scenario.play: scenario.steps[0].then.answer.body.next must be a JSON value, found an object that contains itself.',
  ],
  [
    'a balance that is a bigint',
    'change',
    [{ balance: 5n }],
    'change: change.balance must be a JSON value, found a bigint.',
  ],
  [
    'a limit that is no finite number',
    'change',
    [{ limits: { tasksInFlight: Number.POSITIVE_INFINITY } }],
    'change: change.limits.tasksInFlight must be a JSON value, found Infinity.',
  ],
  ['a timeout as the options', 'idle', ['5s'], 'idle: options must be an object, found "5s".'],
  [
    'a timeout of nothing',
    'idle',
    [{ timeout: null }],
    'timeout must be a duration such as 250ms, 10s, 5m, 24h or 14d, found null.',
  ],
])('%s is an error that says what is wrong', async (_, name, given, sentence) => {
  const method = valueAt(await start(), name.split('.')) as (...given: unknown[]) => unknown
  await expect(async () => method(...given)).rejects.toMatchObject({ name: 'EmulatorError', sentence })
})

test('a start and a connection want objects', async () => {
  await expect(startEmulator(null as never)).rejects.toMatchObject({
    sentence: 'The settings must be an object, found null.',
  })
  await expect(startEmulator([] as never)).rejects.toMatchObject({
    sentence: 'The settings must be an object, found [].',
  })
  await expect(startEmulator({ startAt: new Date(0) as never })).rejects.toMatchObject({
    sentence: 'startAt must be a time such as 2026-01-01T00:00:00Z, found a Date.',
  })
  const connect = (options: unknown) => () => connectEmulator('http://127.0.0.1:9', options as never)
  expect(connect(null)).toThrow('connectEmulator: options must be an object, found null.')
  expect(connect({ key: 5 })).toThrow(
    'connectEmulator: key must be a string that a header can carry, without white space around it, found 5.',
  )
  expect(connect({ tokn: 'x' })).toThrow('connectEmulator has no option "tokn": did you mean token?')
})

test('a connection takes the URL as an object, and says that a token cannot be sent', async () => {
  const { url } = await start()
  const emulator = connectEmulator(new URL(url) as never, { token: 'a\nb' })
  expect(emulator.url).toBe(url)
  await expect(emulator.read()).rejects.toMatchObject({
    code: 'bad-argument',
    sentence: 'The control token has a character that no header can have.',
  })
})

test('a journal that cannot be saved is an error of the emulator, and so is a duration beside a time', async () => {
  const { requests, clock } = await start()
  await expect(requests.save('/no/such/folder/x')).rejects.toMatchObject({
    code: 'cannot-record',
    sentence: 'The recording cannot be written to /no/such/folder/x: its folder is not there.',
  })
  await expect(clock.advance({ to: 'next', by: '1s' } as never)).rejects.toMatchObject({ code: 'bad-input' })
})

test('an error that is no name is refused as a scenario', async () => {
  const { fail } = await start()
  await expect(fail('b-video-task.create', { error: 5 as never })).rejects.toMatchObject({
    code: 'bad-scenario',
    message: expect.stringContaining('error must be a string, found 5'),
  })
})

test.each(['here', 'elsewhere'])(
  'a failure whose error is undefined is refused by an emulator %s',
  async (where) => {
    const emulator = await start()
    const { fail } = where === 'here' ? emulator : connectEmulator(emulator.url)
    await expect(fail('b-video-task.create', { error: undefined })).rejects.toMatchObject({
      code: 'bad-scenario',
    })
  },
)

test.each([
  ['time', 'times'],
  ['wen', 'when'],
  ['require', 'required'],
])('a failure with the option %s is told of %s', async (name, meant) => {
  const { fail } = await start()
  await expect(fail('b-video-task.create', { status: 503, [name]: 1 } as never)).rejects.toMatchObject({
    code: 'bad-argument',
    sentence: `fail has no option "${name}": did you mean ${meant}?`,
  })
})

test.each([
  ['times alone', { times: 2 }],
  ['retryAfter alone', { retryAfter: 5, required: true }],
  ['nothing', {}],
])('a failure with %s is told what fail takes, not what a scenario does', async (_, failing) => {
  const { fail, scenario } = await start()
  await expect(fail('b-video-task.create', failing)).rejects.toMatchObject({
    code: 'bad-scenario',
    sentence: `fail: failing must have error, status, body or text, found ${JSON.stringify(failing)}.`,
  })
  await expect(fail('b-video-task.create', { ...failing, eror: 'x' } as never)).rejects.toThrow(
    'did you mean error?',
  )
  expect(await scenario.steps()).toEqual([])
})

test('callbacks to the inbox need no token', async () => {
  const { url } = await start({ controlToken: 'open-sesame' })
  const emulator = connectEmulator(url, { token: 'open-sesame' })
  const answer = await fetch(emulator.inbox('hook').url, { method: 'POST', body: '{"challenge":"abc"}' })
  expect(await answer.json()).toEqual({ challenge: 'abc' })
  expect((await fetch(emulator.inbox('hook').url)).status).toBe(401)
})

test('a call of an emulator on this machine does not go through the proxy that Node takes from the environment', async () => {
  const proxy = http.createServer((_, response) => response.writeHead(502).end('the proxy')).listen(0)
  const { globalAgent } = http
  onTestFinished(() => {
    http.globalAgent = globalAgent
    proxy.close()
  })
  const { url } = await start({})
  // What NODE_USE_ENV_PROXY does, which Node 20 does not have.
  http.globalAgent = Object.assign(new http.Agent(), {
    createConnection: () => connect((proxy.address() as AddressInfo).port),
  })
  expect(await connectEmulator(url).tasks.list()).toEqual([])
  expect(await connectEmulator(url.replace('127.0.0.1', 'localhost')).tasks.list()).toEqual([])
})

test('an address at which nothing answers is an error that says what to do', async () => {
  const emulator = await startEmulator()
  await emulator.stop()
  await expect(connectEmulator(emulator.url).tasks.list()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining(emulator.url),
    hint: expect.stringContaining('backlot start'),
  })
})

test.each<[string, () => http.ClientRequest, string]>([
  [
    'nock',
    () => {
      const refusal = new Error('Nock: Disallowed net connect for "127.0.0.1:80/"')
      throw Object.assign(refusal, { code: 'ENETUNREACH' })
    },
    'Nock: Disallowed net connect',
  ],
  ['a mock', () => undefined as never, "reading 'end'"],
])('what intercepts HTTP in the process is suspected: %s', async (_, request, message) => {
  const { url } = await start()
  vi.spyOn(http, 'request').mockImplementation(request)
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  await expect(connectEmulator(url).tasks.list()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining(message),
    hint: expect.stringContaining('intercepts HTTP (nock, msw, a mock of http)'),
  })
})

test('an answer that changes the protocol is an error of the connection', async () => {
  const server = createServer((socket) => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
    socket.on('data', () => socket.write(head))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(connectEmulator(url).read()).rejects.toMatchObject({
    code: 'unreachable',
    sentence: `No emulator answers at ${url}: ECONNRESET.`,
    hint: expect.stringContaining('await each call before the tests end'),
  })
})

test.each(['', 'localhost:4650', '/path', 'ftp://host'])('%j is no address', (url) => {
  expect(() => connectEmulator(url)).toThrow(expect.objectContaining({ code: 'bad-url' }))
  vi.stubEnv('BACKLOT_URL', url)
  expect(() => connectEmulator(url)).toThrow('It is in BACKLOT_URL.')
})

test('the error of a server that is no emulator says so', async () => {
  const { url } = await start()
  await expect(connectEmulator(`${url}/provB`).read()).rejects.toMatchObject({ code: 'not-an-emulator' })
})

test('a scenario of the settings that is no JSON is refused with the place', async () => {
  await expect(startEmulator({ scenario: answering(() => 'ok') })).rejects.toMatchObject({
    code: 'bad-scenario',
    sentence: expect.stringContaining('steps[0].then.answer.body must be a JSON value, found a function'),
  })
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
  ['localhost', 'localhost'],
])('an emulator that listens on %s has a URL with the host %s, which answers', async (host, name) => {
  const { url } = await start({ host, controlToken: 'open-sesame' })
  expect(new URL(url).hostname).toBe(name)
  expect((await fetch(`${url}/_backlot/health?token=open-sesame`)).status).toBe(200)
})
