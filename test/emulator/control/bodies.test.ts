import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../../src/index.js'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

const send = async (method: string, path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) => {
  const response = await fetch(`${emulator.url}/_backlot${path}`, { method, body, headers })
  return {
    status: response.status,
    body: (await response.json()) as { error: { code: string; message: string } },
  }
}

test('compressed bodies are refused, not unpacked', async () => {
  const packed = new Uint8Array(gzipSync(JSON.stringify({ mode: 'live' })))
  const { status, body } = await send('PUT', '/clock', packed, { 'content-encoding': 'gzip' })
  expect([status, body.error.code]).toEqual([415, 'bad-body'])
})

test('200,000 nested lists are refused', async () => {
  const nested = `{"by":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  const { status, body } = await send('POST', '/clock/advance', nested)
  expect([status, body.error.code]).toEqual([400, 'bad-body'])
})

test.each(['null', '5', '"next"', '[]'])('%s is JSON, and no object', async (text) => {
  const { status, body } = await send('POST', '/clock/advance', text)
  expect([status, body.error.message]).toEqual([400, `The request body must be an object, found ${text}.`])
  expect((await send('PATCH', '/tasks/one', text)).status).toBe(400)
})

test('a parameter of the path or the query is not given once more', async () => {
  const twice = await fetch(`${emulator.url}/_backlot/inbox/one?name=two`)
  const message = 'name is in the path, and given once more.'
  expect([twice.status, await twice.json()]).toMatchObject([400, { error: { code: 'bad-input', message } }])
  const { body } = await send('PATCH', '/tasks/one', '{"id":"two","to":"failed"}')
  expect(body.error.message).toBe('id is in the path, and given once more.')
  const { status, body: other } = await send(
    'PUT',
    '/scenario?name=callback-lost',
    '{"name":"callback-twice"}',
  )
  expect([status, other.error.message]).toEqual([400, 'name is in the query, and given once more.'])
})

test('a parameter __proto__ is unknown like any other', async () => {
  for (const name of ['__proto__', 'constructor']) {
    const answer = await fetch(`${emulator.url}/_backlot/requests?${name}=1`)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(name)])
  }
})

test('brackets in texts are no depth', async () => {
  const text = JSON.stringify({ to: 'next"\\', by: '['.repeat(500) })
  const { status, body } = await send('POST', '/clock/advance', text)
  expect([status, body.error.code]).toEqual([400, 'bad-input'])
  expect((await send('POST', '/clock/advance', '{"to":"next"}')).status).toBe(200)
})

const nested = `${'[{"a":'.repeat(100)}1${'}]'.repeat(100)}`
const numbers = (count: number): string => `[${Array(count).fill(1)}]`

test.each([
  ['4 MiB', '1'.padEnd(4 * 2 ** 20), [400, 'bad-input']],
  ['more than 4 MiB', '1'.padEnd(4 * 2 ** 20 + 1), [413, 'bad-body']],
  ['200 levels', nested, [400, 'bad-input']],
  ['201 levels', `[[],${nested}]`, [400, 'bad-body']],
  ['300 lists and objects side by side', `[${Array(300).fill('[],{}')}]`, [400, 'bad-input']],
  ['20,000 values', numbers(19_999), [400, 'bad-input']],
  ['20,001 values', numbers(20_000), [400, 'bad-body']],
])('a body of %s is read or refused', async (_, text, expected) => {
  const { status, body } = await send('POST', '/clock/advance', text)
  expect([status, body.error.code]).toEqual(expected)
})

test.each([
  ['/account', { requestsPerMinute: 3 }, 'there is no key "requestsPerMinute" here: it is a key of limits.'],
  ['/account', { limits: { balance: 3 } }, 'there is no key "balance" here: it stands beside limits.'],
])(
  'the refusal of a key out of place in the body of %s says where it belongs: %j',
  async (path, given, message) => {
    const { status, body } = await send('PATCH', path, JSON.stringify(given))
    expect([status, body.error.message]).toEqual([400, message])
  },
)

test('a refusal lists twenty of a thousand mistakes', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index]))
  const { body } = await send('PATCH', '/account', JSON.stringify(wrong))
  expect(body.error.message.match(/there is no key/g)).toHaveLength(20)
})

test('a refusal lists twenty mistakes of a state with 100,000 wrong accounts', async () => {
  const state = { backlot: 'state', version: 1, seed: 1, scenarios: {}, media: null }
  const accounts = Array.from({ length: 100_000 }, () => ({}))
  const { status, body } = await send('PUT', '/state?all', JSON.stringify({ ...state, accounts }))
  expect([status, body.error.code]).toEqual([400, 'bad-state'])
  expect(body.error.message.match(/accounts\[\d+\]\.\w+ is required/g)).toHaveLength(20)
  const own = { key: 'a', account: {}, assets: [], correspondences: [], callbacks: [] }
  const tasks = Array.from({ length: 100_000 }, () => 1)
  const other = await send('PUT', '/state?all', JSON.stringify({ ...state, accounts: [{ ...own, tasks }] }))
  expect(other.body.error.message.match(/accounts\[0\]\.tasks\[\d+\] must be/g)).toHaveLength(20)
})

test('a state of 20,000 wrong names or media is refused in a sentence', async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 1]))
  const state = { backlot: 'state', version: 1, seed: 1, scenarios: {}, media: null, accounts: [] }
  for (const wrong of [many, { media: many }, { scenarios: many }]) {
    const { status, body } = await send('PUT', '/state?all', JSON.stringify({ ...state, ...wrong }))
    expect([status, body.error.code]).toEqual([400, 'bad-state'])
    expect(body.error.message.length).toBeLessThan(2_000)
  }
})

const names = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))

test('90,000 wrong names are refused before they are validated', async () => {
  for (const [method, path] of [
    ['POST', '/clock/advance'],
    ['PATCH', '/account'],
    ['PUT', '/scenario'],
    ['POST', '/dry-run'],
  ] as const) {
    const { status, body } = await send(method, path, names(90_000))
    expect([status, body.error]).toEqual([
      ...[400, { code: 'bad-body', message: 'The body holds more than 20000 values.', hint: 'Send fewer.' }],
    ])
  }
})

test.each([
  ['keys of a step', `[${names(2_000)}]`],
  ['steps', JSON.stringify(Array.from({ length: 2_000 }, () => ({})))],
  ['headers of an answer', `[{"when":{},"then":{"answer":{"status":500,"headers":${names(2_000)}}}}]`],
  [
    'operations of a step',
    JSON.stringify([
      {
        when: { operation: Array.from({ length: 2_000 }, (_, nth) => `b-${nth}`) },
        then: { transport: { reset: true } },
      },
    ]),
  ],
  [
    'operations of steps',
    JSON.stringify(
      Array.from({ length: 2_000 }, (_, nth) => ({
        when: { operation: `b-${nth}` },
        then: { transport: { reset: true } },
      })),
    ),
  ],
])('of 2,000 wrong %s of a scenario, twenty are told', async (_, steps) => {
  const { status, body } = await send('PUT', '/scenario', `{"name":"x","description":"x","steps":${steps}}`)
  expect([status, body.error.code]).toEqual([400, 'bad-scenario'])
  const [, ...lines] = body.error.message.split('\n')
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toContain('there is more wrong than these 20 places')
})

test('a name of megabytes is not compared with the names that there are', async () => {
  const { status, body } = await send(
    'PUT',
    '/scenario',
    JSON.stringify({ name: 'callback-lost'.repeat(200_000) }),
  )
  expect([status, body.error.code]).toEqual([404, 'unknown-scenario'])
})

test('a refusal quotes only the beginning of a large value', async () => {
  const by = Array.from({ length: 5_000 }, (_, index) => `x${index}`)
  const { body } = await send('POST', '/clock/advance', JSON.stringify({ by }))
  expect(body.error.message).toMatch(
    /^by must be a duration such as `10m`, or milliseconds, found \["x0",.{0,60}… \(more than 1000 values\)\.$/,
  )
})

test.each([
  ['POST', '/_backlot/clock/advance', { by: 'x'.repeat(100_000) }],
  ['POST', '/_backlot/clock/advance', { to: 'x'.repeat(100_000) }],
  ['POST', '/_backlot/dry-run', { operation: 'x'.repeat(100_000) }],
  ['GET', `/_backlot/fixtures/${'x'.repeat(10_000)}`, undefined],
])('a refusal of %s %.30s does not repeat all of what was sent', async (method, path, body) => {
  const { url } = emulator
  const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect((await response.text()).length).toBeLessThan(2_000)
})

test('an object of more keys than a body may have values is refused before it is parsed', async () => {
  const { url } = emulator
  const advance = async (keys: number) => {
    const text = `{${Array.from({ length: keys }, (_, index) => `"key \\"${index},,": 1`).join(',')}}`
    const parse = vi.spyOn(JSON, 'parse')
    const response = await fetch(`${url}/_backlot/clock/advance`, { method: 'POST', body: text })
    const isParsed = parse.mock.calls.some(([parsed]) => parsed === text)
    parse.mockRestore()
    return { isParsed, message: ((await response.json()) as { error: { message: string } }).error.message }
  }
  expect(await advance(19_000)).toMatchObject({ isParsed: true, message: expect.stringContaining('no key') })
  expect(await advance(20_002)).toEqual({
    isParsed: false,
    message: 'The body holds more than 20000 values.',
  })
})

test('a fixture is not served under its path with a slash at the end', async () => {
  const { url } = emulator
  const at = (path: string) => fetch(`${url}/_backlot/fixtures/${path}`)
  expect((await at('landscape.jpg')).status).toBe(200)
  const refused = await at('landscape.jpg/')
  expect([refused.status, ((await refused.json()) as { error: { message: string } }).error.message]).toEqual([
    404,
    'There is no fixture landscape.jpg/.',
  ])
})
