import { writeFile } from 'node:fs/promises'
import { request as requestOf } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkProfileFile } from '../../../src/emulator/profile/load.js'
import { paths, startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

type Emulator = Awaited<ReturnType<typeof startOnPort>>

/** Status and headers of an answer as they were sent: each name in its own case, with its value. */
const sentBy = ({ url }: Emulator, path: string, method = 'GET', body?: object) =>
  new Promise<{ status: number | undefined; headers: [string, string][] }>((resolve, reject) => {
    const headers = { Authorization: 'Bearer alice', 'Content-Type': 'application/json' }
    const request = requestOf(new URL(path, url), { method, headers }, (response) => {
      const { statusCode: status, rawHeaders: raw } = response
      response.resume().once('end', () =>
        resolve({
          status,
          headers: raw.flatMap((name, index) =>
            index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : [],
          ),
        }),
      )
    })
    request.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

const namesOf = (headers: readonly [string, string][]) => headers.map(([name]) => name.toLowerCase())
const valuesOf = (headers: readonly [string, string][], wanted: string) =>
  headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)

const TAKEN = { 'X-Request-Id': null, 'content-type': null, 'X-Content-Type-Options': null, date: null }

test('null takes every header away that the emulator writes by itself, in whichever case, and no other', async () => {
  const emulator = await startOnPort({ profile: [{ answers: { 'b-video-task.list': { headers: TAKEN } } }] })
  const { status, headers } = await sentBy(emulator, paths.tasks)
  expect(status).toBe(200)
  for (const name of Object.keys(TAKEN)) expect(namesOf(headers)).not.toContain(name.toLowerCase())
  expect(valuesOf(headers, 'content-length')).toHaveLength(1)
  const other = await sentBy(emulator, `${paths.tasks}/cgt-1`)
  expect(namesOf(other.headers)).toEqual(expect.arrayContaining(['x-request-id', 'content-type', 'date']))
  const [entry] = await emulator.requests.list({ operation: 'b-video-task.list' })
  expect(await emulator.requests.explain(entry?.id ?? '')).toContain(
    'The profile changed the answer: answers.b-video-task.list (profile).',
  )
})

test('a header that the emulator writes by itself has the value of the profile, once', async () => {
  const headers = { 'x-request-id': 'mine', 'CONTENT-TYPE': 'application/vnd.acme+json', 'X-A': 'wide' }
  const emulator = await startOnPort({
    profile: [{ answers: { '*': { headers }, 'b-video-task.list': { headers: { 'x-a': 'narrow' } } } }],
  })
  const sent = (await sentBy(emulator, paths.tasks)).headers
  expect(valuesOf(sent, 'x-request-id')).toEqual(['mine'])
  expect(valuesOf(sent, 'content-type')).toEqual(['application/vnd.acme+json'])
  expect(valuesOf(sent, 'x-a')).toEqual(['narrow'])
  const wide = (await sentBy(emulator, `${paths.tasks}`, 'POST', {
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: 'a lighthouse' }],
  })) as { headers: [string, string][] }
  expect(valuesOf(wide.headers, 'x-a')).toEqual(['wide'])
})

test('headers of refusals, of routes and of answers under a scenario are taken away too', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        answers: {
          '*@refusal': { headers: { 'X-Request-Id': null, 'Retry-After': null } },
          'routes.ping': { headers: { 'X-Version': null, 'x-request-id': null } },
        },
        routes: [
          {
            id: 'ping',
            method: 'GET',
            path: '/ping',
            answer: { text: 'pong', headers: { 'X-Version': '3' } },
          },
        ],
      },
    ],
  })
  const ping = await sentBy(emulator, '/ping')
  expect(namesOf(ping.headers)).not.toContain('x-version')
  expect(namesOf(ping.headers)).not.toContain('x-request-id')
  await emulator.fail('b-video-task.list', { error: 'ServerOverloaded', retryAfter: 3, times: 1 } as never)
  const failed = await sentBy(emulator, paths.tasks)
  expect(failed.status).toBe(429)
  expect(namesOf(failed.headers)).not.toContain('x-request-id')
  // What a scenario adds stands: it acts on what the profile has made of the answer.
  expect(valuesOf(failed.headers, 'retry-after')).toEqual(['3'])
})

test('headers of a result are changed, also under a scenario; an error in its place keeps its own', async () => {
  const headers = { 'Content-Type': 'application/octet-stream', etag: null, 'Cache-Control': 'public' }
  const emulator = await startOnPort({
    timing: 'instant',
    profile: [{ answers: { 'results.download': { headers } } }],
  })
  const { body } = await emulator.createImage()
  const result = body.output.choices[0].message.content[0].image.replace(emulator.url, '')
  const expectChanged = async () => {
    const sent = (await sentBy(emulator, result)).headers
    expect(valuesOf(sent, 'content-type')).toEqual(['application/octet-stream'])
    expect(valuesOf(sent, 'etag')).toEqual([])
    return sent
  }
  expect(valuesOf(await expectChanged(), 'cache-control')).toEqual(['public'])
  const [entry] = await emulator.requests.list({ operation: 'results.download' })
  expect((await emulator.requests.explain(entry?.id ?? '')).join()).toContain(
    'The profile changed the answer',
  )
  await emulator.scenario.play({
    name: 'slow',
    description: 'Slowly.',
    steps: [
      { when: { operation: 'results.download' }, then: { transport: { bytesPerSecond: 100_000_000 } } },
    ],
  })
  await expectChanged()
  const missing = await sentBy(emulator, `${result}0`)
  expect(missing.status).toBe(403)
  expect(valuesOf(missing.headers, 'content-type')).not.toEqual(['application/octet-stream'])
})

test('an answer whose status a profile makes 204 has no body', async () => {
  const emulator = await startOnPort({ profile: [{ answers: { 'b-video-task.list': { status: 204 } } }] })
  const { status, headers } = await sentBy(emulator, paths.tasks)
  expect(status).toBe(204)
  for (const name of ['content-type', 'content-length', 'transfer-encoding'])
    expect(namesOf(headers)).not.toContain(name)
  expect((await emulator.create()).status).toBe(200)
})

test('headers of a callback are changed and taken away, those of its signature too', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        answers: { 'b-video-task.callback': { headers: { 'content-type': 'text/json', 'X-SIGN': null } } },
        callbacks: { 'b-video-task': { signature: { header: 'X-Sign', secret: 'hush' } } },
      },
    ],
  })
  const inbox = emulator.inbox('hook')
  await emulator.createB({ callback_url: inbox.url })
  await emulator.clock.advance({ to: 'next' })
  const [message] = await inbox.waitFor({ count: 1 })
  expect(message).toMatchObject({ headers: { 'content-type': 'text/json' }, signature: 'missing' })
})

test('headers that announce a limit do not stand beside those of the answer', async () => {
  const emulator = await startOnPort({
    profile: [{ rateLimits: { requestsPerMinute: 1, headers: { 'retry-after': 'resetSeconds' } } }],
  })
  await emulator.create()
  const body = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
  const refused = await sentBy(emulator, paths.tasks, 'POST', body)
  expect(refused.status).toBe(429)
  expect(valuesOf(refused.headers, 'retry-after')).toHaveLength(1)
})

const flawsIn = async (text: string): Promise<string[]> => {
  const path = join(newFolder(), 'profile.yaml')
  await writeFile(path, text)
  const checked = await checkProfileFile(path)
  if (!('diagnostics' in checked)) return []
  return checked.diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

test.each([
  [
    'one name in two cases',
    "answers:\n  c-video.read:\n    headers:\n      X-A: '1'\n      x-a: '2'",
    /^5:\d+ .*x-a.* must be another header than X-A, which it is in another case/,
  ],
  [
    'one name in two cases of a route',
    "routes: [{ id: a, method: GET, path: /a, answer: { headers: { Etag: '1', ETag: '2' } } }]",
    /^1:\d+ .*ETag.* must be another header than Etag/,
  ],
  [
    'a header of the connection',
    "answers:\n  c-video.read:\n    headers: { Content-Length: '5' }",
    /^3:\d+ .*Content-Length.* must be a header that is not written by the connection itself/,
  ],
  [
    'a header of the connection that is taken away',
    'answers:\n  c-video.read:\n    headers: { transfer-encoding: null }',
    /^3:\d+ .*transfer-encoding.* must be a header that is not written by the connection itself/,
  ],
  [
    'a name with a space',
    "answers:\n  c-video.read:\n    headers: { 'X A': '1' }",
    /^3:16 the key "X.* must be the name of a header/,
  ],
  [
    'a name with a line break',
    'answers:\n  c-video.read:\n    headers: { "X-A\\r\\nX-B": "1" }',
    /^3:16 the key "X.* must be the name of a header/,
  ],
  [
    'a value with a line break',
    'answers:\n  c-video.read:\n    headers: { X-A: "1\\r\\nX-B: 2" }',
    /^3:21 .*X-A.* must be a text that a header can have/,
  ],
  ['a value that is a number', 'answers:\n  c-video.read:\n    headers: { X-A: 5 }', /^3:21 .*X-A.* must be/],
  [
    'a value with a line break in a route',
    'routes: [{ id: a, method: GET, path: /a, answer: { headers: { X-A: "1\\n2" } } }]',
    /^1:\d+ .*X-A.* must be a text that a header can have/,
  ],
  [
    'a header of a signature that is none',
    'callbacks:\n  f-video-v2:\n    signature: { header: "X S", secret: hush }',
    /^3:26 header must be the name of a header/,
  ],
])('%s is refused with its line and column', async (_, text, expected) =>
  expect(await flawsIn(text)).toEqual([expect.stringMatching(expected)]),
)
