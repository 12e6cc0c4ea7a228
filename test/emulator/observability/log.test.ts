import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEmulator } from '../../../src/composition.js'
import { accountIdOf } from '../../../src/emulator/core/account/account-id.js'
import { listen } from '../../../src/emulator/listen.js'
import { readSettings, type SettingsInput } from '../../../src/emulator/settings.js'
import { newFolder } from '../../folder.js'
import { connectTo, requestText } from '../../hostile/wire.js'

const KEY = 'sk-a-key-that-stays-secret'
const PIXELS = Buffer.from('GIF89a-no-picture-but-bytes-all-the-same'.repeat(20)).toString('base64')

/** Starts an emulator with a log, lets something happen, and stops it; then everything is written. */
const logOf = async (
  settings: SettingsInput,
  act: (url: string, emulator: Awaited<ReturnType<typeof openEmulator>>) => Promise<unknown>,
) => {
  const logFile = join(newFolder(), 'deep', 'backlot.log')
  const emulator = await openEmulator(readSettings({ port: 0, clock: 'paused', logFile, ...settings }), {
    onInternalError: () => {},
  })
  const { url, close } = await listen(emulator)
  await act(url, emulator).finally(close)
  const text = await readFile(logFile, 'utf8')
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { text, lines, named: (name: string) => lines.filter(({ msg }) => msg === name) }
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const clip = (change: object = {}) => ({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'A lighthouse in the fog' }],
  ...change,
})

test('a line for each call: its id, operation, account, status and duration', async () => {
  let id: string | null = ''
  const { named } = await logOf({}, async (url) => {
    id = (await post(url, clip())).headers.get('x-request-id')
    await fetch(`${url}/nowhere`)
  })
  const [made, lost] = named('call')
  expect(made).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    request: id,
    operation: 'b-video-task.create',
    account: accountIdOf(KEY),
    method: 'POST',
    status: 200,
    ms: expect.any(Number),
    msg: 'call',
  })
  expect(lost).toMatchObject({ operation: null, status: 404 })
})

test('what ends after the stop is no line, and no error', async () => {
  let stopped: Awaited<ReturnType<typeof openEmulator>> | undefined
  const { lines } = await logOf({}, async (_, emulator) => {
    stopped = emulator
  })
  expect(lines.at(-1)).toMatchObject({ msg: 'stopped' })
  expect(() => stopped?.events.emit('bug', new Error('late'))).not.toThrow()
})

test('neither keys nor tokens nor Base64 are ever in it', async () => {
  const secrets = ['user-secret', 'pass-secret', 'query-secret', 'path-secret', 'control-secret']
  const { text, lines } = await logOf(
    { logLevel: 'debug', controlToken: 'control-secret', timing: 'instant', tasksPerAccount: 1 },
    async (url, emulator) => {
      const image = { type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXELS}` } }
      await post(url, clip({ content: [...clip().content, image] }))
      await post(url, `{"broken": "${KEY} ${PIXELS}`)
      const receiver = 'http://user-secret:pass-secret@127.0.0.1:1/path-secret?token=query-secret'
      await post(url, clip({ callback_url: receiver }))
      await fetch(`${url}/${KEY}/path-secret?token=query-secret`, { headers: { cookie: 'pass-secret' } })
      await fetch(`${url}/_backlot/health?token=control-secret`)
      await emulator.callbacks.idle(KEY)
      emulator.events.emit('bug', new Error(`Bearer ${KEY} sent data:image/gif;base64,${PIXELS}`))
    },
  )
  expect(lines.length).toBeGreaterThan(8)
  expect(lines.map(({ msg }) => msg)).toContain('callback')
  for (const secret of [...secrets, KEY, PIXELS.slice(0, 60)]) expect(text).not.toContain(secret)
})

test('a bug is there with its stack, as an error', async () => {
  const { named } = await logOf({}, async (_, emulator) => {
    emulator.events.emit('bug', new TypeError('it has no such part'))
  })
  expect(named('error')).toMatchObject([
    {
      level: 'error',
      error: 'TypeError',
      message: 'it has no such part',
      stack: expect.stringMatching(/\n +at /),
    },
  ])
})

test('a bound that was met is there', async () => {
  const { named } = await logOf({ journalEntries: 1 }, async (url) => {
    await post(url, clip())
    await post(url, clip())
  })
  expect(named('bound')).toMatchObject([
    { level: 'warn', bound: 'journal-entries', setting: 'journalEntries', most: 1, hits: 1 },
  ])
})

test('a callback is there with its receiver and what became of it', async () => {
  const { named } = await logOf({ timing: 'instant' }, async (url, emulator) => {
    await post(url, clip({ callback_url: `${url}/_backlot/inbox/hook?token=x` }))
    await emulator.callbacks.idle(KEY)
  })
  expect(named('callback')[0]).toMatchObject({
    level: 'info',
    outcome: 'delivered',
    receiver: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    attempts: 1,
    answer: 200,
  })
})

test('entries below the level are not written', async () => {
  const { lines } = await logOf({ logLevel: 'error' }, (url) => post(url, clip()))
  expect(lines).toEqual([])
})

test('the log appends to an existing file', async () => {
  const logFile = join(newFolder(), 'backlot.log')
  await writeFile(logFile, 'before\n')
  const emulator = await openEmulator(readSettings({ port: 0, logFile }))
  await emulator.stop()
  expect(await readFile(logFile, 'utf8')).toMatch(/^before\n\{"level":"info".*\n\{"level":"info".*\n$/)
})

test('an emulator whose log cannot be written does not start', async () => {
  const own = newFolder()
  await writeFile(join(own, 'file'), '')
  const logFile = join(own, 'file', 'backlot.log')
  await expect(openEmulator(readSettings({ logFile }))).rejects.toMatchObject({
    code: 'cannot-log',
    sentence: `The log cannot be written to ${logFile}: a part of its path is no folder.`,
  })
})

test('a line for the refused preflight of a page, with the setting that lets it call', async () => {
  const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' }
  const { named } = await logOf({}, (url) => fetch(url, { method: 'OPTIONS', headers }))
  expect(named('preflight')).toMatchObject([
    { level: 'warn', origin: headers.origin, says: expect.stringContaining('corsOrigins') },
  ])
})

test('a line for each request that is refused before its family is known', async () => {
  const { named } = await logOf({ headerBytes: 2_000 }, async (url) => {
    const port = Number(new URL(url).port)
    for (const text of [
      requestText('GET /v1/videos', { Host: 'api.example.com' }),
      requestText('GET /', { 'X-A': 'a'.repeat(3_000) }),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      requestText('POST /v1/videos', { Expect: 'the-impossible' }),
    ]) {
      const connection = await connectTo(port)
      await connection.say(text)
      await connection.answer()
      connection.leave()
    }
  })
  expect(named('refused')).toMatchObject([
    { level: 'warn', status: 403, code: 'foreign_host', message: expect.stringContaining('--allowed-hosts') },
    { status: 431, code: 'headers_too_large' },
    { status: 400, message: 'The request is HTTP/2, which is not supported without TLS: send HTTP/1.1.' },
    { status: 400, code: 'host_missing' },
    { status: 417, code: 'expectation_not_met' },
  ])
})

test('a connection on which nothing is sent is no line', async () => {
  const { named } = await logOf({ headersTimeoutMs: 1 }, async (url) => {
    const connection = await connectTo(Number(new URL(url).port))
    expect((await connection.answer())?.status).toBe(408)
    connection.leave()
  })
  expect(named('refused')).toEqual([])
})

const namedPipe = (): string => {
  const file = join(newFolder(), 'log.fifo')
  execFileSync('mkfifo', [file])
  return file
}

test.skipIf(process.platform === 'win32')('a named pipe without a reader is refused at once', async () => {
  const logFile = namedPipe()
  await expect(openEmulator(readSettings({ logFile }))).rejects.toMatchObject({
    code: 'cannot-log',
    message: expect.stringContaining('it is a named pipe that no program reads'),
  })
})

test.skipIf(process.platform === 'win32')(
  'a reader of a named pipe that stalls is a health issue, and keeps nothing from ending',
  async () => {
    const logFile = namedPipe()
    const reader = await open(logFile, constants.O_RDONLY | constants.O_NONBLOCK)
    const emulator = await openEmulator(readSettings({ port: 0, logFile }))
    const problems: string[] = []
    emulator.events.on('trouble', (issue) => problems.push(JSON.stringify(issue)))
    const refused = { status: 400, code: 'malformed_request', message: 'x'.repeat(10_000) }
    for (let count = 0; count < 200; count += 1) emulator.events.emit('refused', refused)
    expect(problems.join()).toContain('its reader takes nothing, and lines are dropped')
    await emulator.stop()
    // What the pipe took is there, whole lines but for the last one.
    const { buffer, bytesRead } = await reader.read(Buffer.alloc(2 ** 16))
    expect(JSON.parse(buffer.toString('utf8', 0, bytesRead).split('\n')[0] ?? '')).toMatchObject({
      msg: 'started',
    })
    await reader.close()
  },
)

test.skipIf(process.platform === 'win32')('a named pipe that is read has every line', async () => {
  const logFile = namedPipe()
  const reader = await open(logFile, constants.O_RDONLY | constants.O_NONBLOCK)
  const emulator = await openEmulator(readSettings({ port: 0, logFile }))
  emulator.events.emit('refused', { status: 400, code: 'malformed_request', message: 'once' })
  await emulator.stop()
  const { buffer, bytesRead } = await reader.read(Buffer.alloc(2 ** 16))
  const lines = buffer.toString('utf8', 0, bytesRead).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['started', 'refused', 'stopped'])
  await reader.close()
})
