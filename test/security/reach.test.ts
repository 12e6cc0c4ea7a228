import type { LookupAddress } from 'node:dns'
import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createCallbackHttpClient } from '../../src/emulator/callbacks/http-client.js'
import { createMediaFetcher } from '../../src/emulator/media/resolve/fetch-media.js'
import { callbackConnectPolicy, mediaConnectPolicies } from '../../src/emulator/net/address-guard.js'
import { openLocalServer } from '../emulator/media/resolve/local-server.js'

/** A server of this machine that counts who asks. */
const openServer = async (answer: RequestListener) => {
  const { port, asked } = await openLocalServer(answer)
  return {
    port,
    asked,
    url: (host = '127.0.0.1', path = '/x.png') => new URL(`http://${host}:${port}${path}`),
  }
}

const fine: RequestListener = (_, response) => void response.end('bytes')

/** A name server that gives one answer after the other, the last one for ever. */
const namesServed = (...answers: string[]) => {
  let asked = 0
  return async (): Promise<LookupAddress[]> => {
    const address = answers[Math.min(asked, answers.length - 1)] ?? ''
    asked += 1
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  }
}

const fetching = (fetchMedia: 'local' | 'all', resolve = namesServed('127.0.0.1')) =>
  createMediaFetcher({
    timeoutMs: 2_000,
    maxBytes: 1_000,
    mayConnect: mediaConnectPolicies[fetchMedia],
    resolve,
  })

const posting = (callbackHosts: string[], resolve = namesServed('127.0.0.1')) => {
  const post = createCallbackHttpClient(callbackHosts, resolve)
  onTestFinished(() => post.stop())
  return (url: URL) => post.send(url, {}, '{}', 2_000).result
}

// Every spelling of an address that machines keep for themselves.
const metadata = [
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.16689662',
  '0xa9.0xfe.0xa9.0xfe',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[2002:a9fe:a9fe::1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[fd00:42::42]',
  '[fd00:c1::a9fe:a9fe]',
  '[64:ff9b::100.100.100.200]',
  '[64:ff9b:1::169.254.169.254]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[::ffff:0:169.254.169.254]',
  '[2002:6464:64c8::1]',
  '[2001:0:0:0:0:0:5601:5601]',
  '[::169.254.169.254]',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '0',
  '[::]',
  '[::ffff:0.0.0.0]',
  '255.255.255.255',
  '224.0.0.1',
]

test.each(metadata)('nothing is sent to %s, even where every host is allowed', async (host) => {
  const url = new URL(`http://${host}/latest/meta-data`)
  expect(await posting(['*'])(url)).toMatchObject({ outcome: 'refused-address' })
  expect(await fetching('all')(url)).toMatchObject({
    detail: expect.stringContaining('media are not read from'),
  })
})

test.each(metadata)('a name that leads to %s is refused by its address', async (host) => {
  const address = new URL(`http://${host}/`).hostname.replace(/[[\]]/g, '')
  const url = new URL('http://hooks.mine.test/')
  expect(await posting(['*.mine.test'], namesServed(address))(url)).toMatchObject({
    outcome: 'refused-address',
  })
  expect(await fetching('all', namesServed(address))(url)).toMatchObject({ reason: 'unreachable' })
})

test('an address that is allowed itself is sent to', () => {
  const mayGo = callbackConnectPolicy(['169.254.169.254'])
  expect(mayGo('169.254.169.254', '169.254.169.254')).toBe(true)
  expect(mayGo('169.254.169.253', '169.254.169.253')).toBe(false)
})

test.each([
  '127.0.0.1',
  'localhost',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '[::ffff:127.0.0.1]',
])('callbacks go to this machine, spelt %s', async (host) => {
  const { url, asked } = await openServer(fine)
  expect(await posting([])(url(host))).toMatchObject({ outcome: 'answered' })
  expect(asked).toHaveLength(1)
})

test('a name that leads somewhere else the second time is connected to where it was checked', async () => {
  const { url, asked } = await openServer(fine)
  const sent = await posting([], namesServed('127.0.0.1', '203.0.113.7'))(url('rebinding.test'))
  expect(sent).toMatchObject({ outcome: 'answered' })
  expect(await posting([], namesServed('203.0.113.7', '127.0.0.1'))(url('rebinding.test'))).toMatchObject({
    outcome: 'refused-address',
  })
  expect(asked).toHaveLength(1)
})

test('media of this machine are read from addresses of this machine alone, whatever the name says', async () => {
  const { url, asked } = await openServer(fine)
  expect(await fetching('local')(url('localhost'))).toMatchObject({ bytes: Buffer.from('bytes') })
  for (const address of ['203.0.113.7', '10.0.0.7', '169.254.169.254', '::ffff:10.0.0.7'])
    expect(await fetching('local', namesServed(address))(url('localhost'))).toMatchObject({
      reason: 'unreachable',
      detail: `media are not read from localhost (${address}) (setting fetchMedia)`,
    })
  expect(asked).toHaveLength(1)
})

test('redirects are told of and not followed, wherever they lead', async () => {
  const goal = await openServer(fine)
  const { url } = await openServer((_, response) =>
    response.writeHead(302, { location: goal.url().href }).end(),
  )
  expect(await posting([])(url())).toMatchObject({ outcome: 'answered', status: 302 })
  expect(await fetching('all')(url())).toMatchObject({ detail: expect.stringContaining('answered 302') })
  expect(goal.asked).toEqual([])
})

test('no proxy of the environment is asked', async () => {
  const proxy = await openServer(fine)
  const { url, asked } = await openServer(fine)
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  const before = names.map((name) => process.env[name])
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.url().origin
  onTestFinished(() => {
    for (const [index, name] of names.entries())
      if (before[index] === undefined) delete process.env[name]
      else process.env[name] = before[index]
  })
  await posting([])(url())
  await fetching('all')(url())
  expect([asked.length, proxy.asked.length]).toEqual([2, 0])
})

test.each([0, 22, 25, 6379, 11211])(
  'nothing is said to port %d, where no server or something else than HTTP listens',
  async (port) => {
    const url = new URL(`http://127.0.0.1:${port}/`)
    expect(await posting(['*'])(url)).toMatchObject({
      outcome: 'refused-address',
      error: expect.stringContaining(`port ${port}`),
    })
    expect(await fetching('all')(url)).toMatchObject({ reason: 'unreachable' })
  },
)

test('a medium is read up to its limit and no further', async () => {
  const { url } = await openServer((request, response) =>
    response.end('x'.repeat(Number(request.url?.slice(1)))),
  )
  expect(await fetching('all')(url('127.0.0.1', '/1000'))).toMatchObject({ bytes: expect.any(Buffer) })
  expect(await fetching('all')(url('127.0.0.1', '/1001'))).toEqual({
    reason: 'too-large',
    detail: 'it is larger than 1000 bytes',
  })
})

test('a medium without an end is cut off at the limit, and one that does not come, at its time', async () => {
  const endless = await openServer((_, response) => {
    const write = () => {
      while (response.write('x'.repeat(100)));
      response.once('drain', write)
    }
    write()
  })
  expect(await fetching('all')(endless.url())).toMatchObject({ reason: 'too-large' })
  const silent = await openServer((_, response) => void response.write('x'))
  const soon = createMediaFetcher({ timeoutMs: 100, maxBytes: 1_000, mayConnect: mediaConnectPolicies.all })
  expect(await soon(silent.url())).toMatchObject({ reason: 'unreachable' })
})
