import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { send } from '../../../src/emulator/surface/client.js'
import { startEmulator } from '../../../src/index.js'
import { Ledger } from '../../../src/real-service/verify/ledger.js'
import { backlot, endedHere, hasSignals } from '../../cli/backlot.js'

const KEY = 'real-api-key-1234'
const MINUTE = 120_000

/** An emulator in place of the real service. */
const service = async (settings: Parameters<typeof startEmulator>[0] = {}) => {
  const emulator = await startEmulator({ clock: 'on-poll', ...settings })
  onTestFinished(() => emulator.stop())
  return { url: emulator.url, account: emulator.account(KEY) }
}

const listening = async (answer: RequestListener) => {
  const server = createHttpServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const newFile = () => join(mkdtempSync(join(tmpdir(), 'verify-')), 'creates.jsonl')

const verify = (target: string, file: string, ...args: string[]) => {
  vi.stubEnv('SERVICE_KEY', KEY)
  return endedHere([
    'verify',
    '--target',
    target,
    '--key-env',
    'SERVICE_KEY',
    '--creates-file',
    file,
    '--verified',
    'none',
    ...args,
  ])
}

const linesOf = (out: string, begin: RegExp) => out.split('\n').filter((line) => begin.test(line))

test(
  'a plan says what creates would cost, and sends nothing',
  async () => {
    const { url, account } = await service()
    const { code, out } = await verify(url, newFile(), '--tier', 'creates', '--plan')
    expect(code).toBe(0)
    expect(out).toContain('the cheapest create of f-video-v2: at most 0.4')
    expect(out).toMatch(/7 creates, at most 0\.8 by the price list/)
    expect((await account.requests.count()).total).toBe(0)
  },
  MINUTE,
)

test(
  'prices are those of a profile',
  async () => {
    const { url } = await service()
    const dear = JSON.stringify({ 'gamma-H3 768P': 2 })
    const { out } = await verify(url, newFile(), '--tier', 'creates', '--plan', '--set', `prices=${dear}`)
    expect(out).toContain('the cheapest create of f-video-v2: at most 8')
  },
  MINUTE,
)

test(
  'a budget and a number of creates hold before a create is sent, and what was not sent is no agreement',
  async () => {
    const { url, account } = await service()
    const file = newFile()
    const { code, out } = await verify(url, file, '--tier', 'creates', '--budget', '0.25')
    expect(code).toBe(1)
    const skipped = linesOf(out, /^not looked at/)
    expect(skipped).toHaveLength(2)
    for (const line of skipped) expect(line).toMatch(/it may cost .* and --budget is 0\.25/)
    const made = async () =>
      (await account.tasks.list({ limit: 1_000 })).filter(({ family }) => /^[bcef]-/.test(family)).length
    expect(await made()).toBe(1)
    const few = await verify(url, file, '--tier', 'creates', '--most-creates', '1')
    expect(few.code).toBe(1)
    expect(linesOf(few.out, /^not looked at.*--most-creates is 1$/)).toHaveLength(6)
    expect(await made()).toBe(1)
    expect(existsSync(file)).toBe(false)
  },
  2 * MINUTE,
)

test(
  'a service that charges for refusals is not asked once the limits could be passed',
  async () => {
    let creates = 0
    const url = await listening((request, response) => {
      const hasKey = request.headers.authorization === `Bearer ${KEY}`
      if (request.method === 'POST' && hasKey) creates += 1
      const isTaken = request.method === 'POST' && hasKey
      response.writeHead(isTaken ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isTaken ? { id: `task-${creates}` } : { error: 'no' }))
      request.resume()
    })
    const { code, out, err } = await verify(url, newFile(), '--most-creates', '2')
    expect(code).toBe(1)
    expect(creates).toBe(2)
    expect(out).toMatch(
      /not looked at .*the service takes calls that it must refuse, and it would be create number 3/,
    )
    expect(err).not.toContain('should not have happened')
  },
  MINUTE,
)

test(
  'a task that the service makes although it must not is ended, and its end is not compared',
  async () => {
    const { url, account } = await service({
      profile: { models: { 'videoa-2-0-260128': { seconds: [4, 16] } } },
    })
    const { code, out, err } = await verify(url, newFile())
    expect(code).toBe(1)
    expect(linesOf(out, /^differs/)).toContain('differs  a task of 16 seconds: 200')
    expect(linesOf(out, /the end of the task/)).toEqual([])
    expect(err).toContain('DELETE of it is answered with 200.')
    expect((await account.tasks.list()).map(({ status }) => status)).toEqual(['cancelled'])
  },
  MINUTE,
)

test.skipIf(!hasSignals)(
  'a run that is interrupted says what is not ended, and the next one ends it',
  async () => {
    const { url, account } = await service({ clock: 'paused' })
    const file = newFile()
    const args = ['verify', '--target', url, '--key-env', 'SERVICE_KEY', '--creates-file', file]
    const running = backlot([...args, '--verified', 'none', '--tier', 'creates'], {
      environment: { SERVICE_KEY: KEY },
    })
    await running.line((line) => line.includes('a query of the task of b-video-task: queued'))
    running.process.kill('SIGINT')
    const { code, out, err } = await running.ended
    expect(code).toBe(130)
    expect(out).toMatch(/The command ended early: \d+ of \d+ steps were done/)
    expect(err).toMatch(/Not ended: the cheapest create of b-video-task, .* the next run ends it/)
    expect(existsSync(file)).toBe(true)
    const next = await verify(url, file)
    expect(next.err).toContain('DELETE of it is answered with 200.')
    expect((await account.tasks.list()).map(({ status }) => status)).toContain('cancelled')
    expect(existsSync(file)).toBe(false)
  },
  MINUTE,
)

test(
  'a run ends what a killed one has left, and names a create of which no answer came',
  async () => {
    const { url, account } = await service({ clock: 'paused' })
    const body = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'x' }] }
    const response = await fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { id } = (await response.json()) as { id: string }
    const file = newFile()
    const killed = Ledger.read(file)
    killed.made(killed.sending('b-video-task.create', 'the create', '2026-01-01T00:00:00.000Z'), id)
    killed.sending('c-video.create', 'the other create', '2026-01-01T00:00:01.000Z')
    const { code, out, err } = await verify(url, file)
    // The emulator that answers are compared with does not know the task.
    expect({ code, differs: linesOf(out, /^differs/) }).toEqual({ code: 0, differs: [] })
    expect(err).toContain('An earlier run has not ended the create')
    expect(err).toContain('DELETE of it is answered with 200.')
    expect(err).toContain('No answer came, so that it may have made a task')
    expect((await account.tasks.get(id)).status).toBe('cancelled')
    expect(existsSync(file)).toBe(false)
  },
  MINUTE,
)

test(
  'a task of a killed run that cannot be ended yet stays noted, and one that is kept by no run is not looked at',
  async () => {
    const { url, account } = await service({ clock: 'paused' })
    const response = await fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'x' }] }),
    })
    const { id } = (await response.json()) as { id: string }
    await account.tasks.force(id, 'running')
    const file = newFile()
    const killed = Ledger.read(file)
    killed.made(killed.sending('b-video-task.create', 'the create', '2026-01-01T00:00:00.000Z'), id)
    const early = await verify(url, file, '--resume')
    expect(early.out).toContain('No task is kept in')
    expect(early.out).toContain('No answer was compared.')
    expect(early.err).toContain('DELETE of it is answered with 409.')
    expect(early.err).toContain('Not ended: the create')
    expect(existsSync(file)).toBe(true)
    await account.tasks.force(id, 'succeeded')
    const late = await verify(url, file, '--resume')
    expect(late.err).toContain('DELETE of it is answered with 200.')
    expect(existsSync(file)).toBe(false)
  },
  MINUTE,
)

test(
  'what only time shows is looked at by a later run',
  async () => {
    const { url } = await service()
    const file = newFile()
    await verify(url, file, '--tier', 'time')
    expect(readFileSync(file, 'utf8')).toContain('"kind":"kept"')
    const { out } = await verify(url, file, '--resume')
    expect(linesOf(out, /^same .*its result after/).length).toBeGreaterThan(0)
    expect(linesOf(out, /^not looked at .*it is due on \d{4}-\d\d-\d\d/).length).toBeGreaterThan(0)
    expect(linesOf(out, /^differs/)).toEqual([])
    expect(out).not.toContain('the target may not be the service')
  },
  2 * MINUTE,
)

test.each([
  [
    'resets the connection',
    ((request) => request.socket.destroy()) as RequestListener,
    'no answer comes: socket hang up, 3 times',
  ],
  [
    'sends without an end',
    ((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024, 'x')));
        response.once('drain', more)
      }
      more()
    }) as RequestListener,
    'no answer comes: the answer has more than 16777216 bytes',
  ],
  [
    'lies about its length',
    ((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{}', () => response.destroy())
    }) as RequestListener,
    'no answer comes: the answer broke off, 3 times',
  ],
])(
  'a service that %s is not looked at, and not asked for ever',
  async (_, answer, reason) => {
    const calls: string[] = []
    const url = await listening((request, response) => {
      calls.push(`${request.method} ${request.url}`)
      answer(request, response)
    })
    const { code, out, err } = await verify(url, newFile(), '--tier', 'creates')
    expect(code).toBe(1)
    expect(linesOf(out, /^(same|differs)/)).toEqual([])
    expect(out).toContain(reason)
    expect(out).toContain('No answer was compared.')
    expect(
      linesOf(out, /3 calls were left without an answer, and nothing more is asked$/).length,
    ).toBeGreaterThan(40)
    // The first one is asked three times, and what could make a task once.
    expect(calls.length).toBeLessThanOrEqual(5)
    expect(err).not.toContain('should not have happened')
  },
  MINUTE,
)

/** A call to a service that breaks some answers: `made` where it has made something. */
interface Passing {
  readonly url: string
  readonly count: number
  readonly made: boolean
}

/** A service that answers as an emulator does, but for the answers that it breaks. */
const breaking = async (isBroken: (call: Passing) => boolean) => {
  const errors = { 'b-video-task': { MissingParameter: { status: 422 } } }
  const { url, account } = await service({ profile: { errors } })
  const calls: string[] = []
  const target = await listening(async (request, response) => {
    const { method = '', headers, url: path = '' } = request
    calls.push(`${method} ${path}`)
    const bytes = await buffer(request)
    const kept = Object.entries(headers).filter(([name]) => /^(authorization|content-type|host)$/.test(name))
    const answer = await send({
      method,
      url: url + path,
      headers: Object.fromEntries(kept) as Record<string, string>,
      body: bytes.length === 0 ? undefined : bytes,
    })
    const made = method === 'POST' && answer.status < 300
    if (isBroken({ url: path, count: calls.length, made })) return void response.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.bytes)
  })
  return { target, calls, account }
}

test(
  'a service that breaks a connection once is asked again',
  async () => {
    const { target, calls } = await breaking(({ count }) => count === 1)
    const { code, out } = await verify(target, newFile())
    expect(code).toBe(1)
    expect(linesOf(out, /^not looked at/)).toEqual([])
    expect(calls[0]).toBe(calls[1])
  },
  MINUTE,
)

test(
  'what a service has shown before it goes away is written',
  async () => {
    const { target } = await breaking(({ count }) => count > 20)
    const folder = mkdtempSync(join(tmpdir(), 'verify-'))
    const [profile, seen] = [join(folder, 'profile.yaml'), join(folder, 'seen.json')]
    const { code, out, err } = await verify(
      target,
      newFile(),
      ...['--verified', seen, '--write-profile', profile],
    )
    expect(code).toBe(1)
    expect(out).toMatch(/^\d+ things were not looked at\.$/m)
    expect(err).toMatch(/answers noted in .*seen\.json: \d+ the same/)
    expect(JSON.parse(readFileSync(seen, 'utf8')).facts.length).toBeGreaterThan(10)
    expect(readFileSync(profile, 'utf8')).toMatch(/MissingParameter:\n\s+status: 422/)
  },
  MINUTE,
)

test(
  'a create whose answer is lost is not sent again, and stays noted',
  async () => {
    const { target, account } = await breaking(
      ({ url, made }) => made && /contents.generations.tasks$/.test(url),
    )
    const file = newFile()
    const { code, out, err } = await verify(target, file, '--tier', 'creates')
    expect(code).toBe(1)
    expect(out).toMatch(
      /^not looked at {2}the cheapest create of b-video-task: no answer comes: .*; it may have made a task, so that it is not sent again$/m,
    )
    expect(out).not.toContain('The command ended early')
    expect(err).toMatch(/Not ended: the cheapest create of b-video-task, .*, which may have made a task/)
    expect((await account.tasks.list()).filter(({ family }) => family === 'b-video-task')).toHaveLength(1)
    expect(existsSync(file)).toBe(true)
  },
  MINUTE,
)

test(
  'a file of a result that breaks off is not looked at',
  async () => {
    const { target } = await breaking(({ url }) => url.startsWith('/results/'))
    const { code, out } = await verify(target, newFile(), '--tier', 'creates')
    expect(code).toBe(1)
    expect(out).toMatch(/^not looked at {2}the file of the task of b-video-task: socket hang up$/m)
    expect(out).toMatch(/^not looked at {2}the file of the cheapest create of a-image: socket hang up$/m)
  },
  MINUTE,
)

test(
  'a gateway that fails while a task is queried does not end the run',
  async () => {
    const { url, account } = await service()
    await account.fail('b-video-task.read', { status: 502, body: {}, retryAfter: 0 })
    const { code, out, err } = await verify(url, newFile(), '--tier', 'creates')
    expect(code).toBe(1)
    expect(out).toMatch(/^not looked at {2}the end of the task of b-video-task: it is answered with 502/m)
    expect(out).not.toContain('The command ended early')
    expect(err).not.toContain('should not have happened')
  },
  MINUTE,
)

test(
  'redirects are not followed',
  async () => {
    let elsewhere = 0
    const other = await listening((_, response) => {
      elsewhere += 1
      response.end('{}')
    })
    const url = await listening((request, response) => {
      response.writeHead(301, { location: other + request.url }).end()
    })
    const { code, out } = await verify(url, newFile())
    expect(code).toBe(1)
    expect(out).toContain(`The service redirects calls to ${other}: name it as --target.`)
    expect(out).not.toMatch(/\d+ creates?, at most/)
    expect(elsewhere).toBe(0)
  },
  MINUTE,
)

test(
  'the time of a run is limited',
  async () => {
    const { url } = await service()
    const { code, out } = await verify(url, newFile(), '--time-limit', '1ms')
    expect(code).toBe(1)
    expect(linesOf(out, /^not looked at .*the time of --time-limit is over$/).length).toBeGreaterThan(40)
  },
  MINUTE,
)

test(
  'a call that the end of the time interrupts is not looked at',
  async () => {
    const calls: string[] = []
    const url = await listening((request) => void calls.push(request.method ?? ''))
    const { code, out, err } = await verify(url, newFile(), '--time-limit', '1s')
    expect(code).toBe(1)
    expect(calls.length).toBeLessThanOrEqual(1)
    expect(linesOf(out, /^(same|differs)/)).toEqual([])
    expect(linesOf(out, /^not looked at .*the time of --time-limit is over$/).length).toBeGreaterThan(40)
    expect(err).not.toContain('No answer comes')
  },
  MINUTE,
)

test.each([
  ['a tier that there is not', ['--tier', 'creats'], 'Did you mean creates?'],
  ['the tier callback without a URL', ['--tier', 'callback'], 'wants the URL at which the service reaches'],
  [
    'a URL without the tier',
    ['--callback-url', 'http://127.0.0.1:1/'],
    '--callback-url is for the tier callback',
  ],
  ['a budget in words', ['--budget', 'much'], '--budget must be an amount'],
  [
    'a callback elsewhere without a port',
    ['--tier', 'callback', '--callback-url', 'https://h.test/'],
    '--callback-port',
  ],
])('%s is wrong usage', async (_, args, message) => {
  const { code, err } = await verify('http://127.0.0.1:1', newFile(), ...args)
  expect(code).toBe(2)
  expect(err).toContain(message)
})
