import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ended, endedHere, started } from './backlot.js'

/** A server on this machine for as long as the test runs; answers its URL. */
const serving = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// A port below 1024, which the system gives to no other test that asks for a free one.
const unusedUrl = 'http://127.0.0.1:1'

test('an emulator that answers is ready', async () => {
  const { url } = await started()
  const { code, out } = await ended(['ready', '--wait', '--url', `${url}/`])
  expect(code).toBe(0)
  expect(out).toMatch(/^http:\S+ is ready \(version .+\)\.\n$/)
})

test('an emulator that requires a token is ready', async () => {
  const { url } = await started(['--control-token', 'secret'])
  expect((await ended(['ready', '--url', url])).code).toBe(0)
})

test('the URL may stand in the environment', async () => {
  const { url } = await started()
  expect((await ended(['ready'], { environment: { BACKLOT_URL: url } })).code).toBe(0)
})

test('an emulator that does not speak TLS, or whose certificate is not trusted, is no reason to start one', async () => {
  const { url } = await started()
  const plain = await ended(['ready', '--url', url.replace('http:', 'https:')])
  expect([plain.code, plain.err.split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(/ is not ready: it does not speak TLS\.$/),
      expect.stringContaining('name it with http://'),
      '',
    ],
  ])
  const files = ['cert', 'key'].map((name) =>
    fileURLToPath(new URL(`../emulator/service/tls/${name}.pem`, import.meta.url)),
  )
  const secure = await started(['--set', `tlsCert=${files[0]}`, '--set', `tlsKey=${files[1]}`])
  const { code, err } = await ended(['ready', '--url', secure.url.replace('http:', 'https:')])
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/self-signed certificate \(NODE_EXTRA_CA_CERTS.*\n.*trust its certificate\.\n$/),
  ])
})

test('what is no URL is named by its place', async () => {
  const message = (place: string) =>
    `backlot: ${place} must be a URL that begins with http:// or https://, found "x".\n`
  const named = await ended(['ready', '--url', 'x'])
  expect(named).toEqual({ code: 2, out: '', err: message('--url') })
  const inEnvironment = await ended(['ready'], { environment: { BACKLOT_URL: 'x' } })
  expect(inEnvironment).toEqual({ code: 2, out: '', err: message('BACKLOT_URL') })
})

// One of these is free; `fetch` refuses each of them as a port of another protocol.
test('an emulator on a port that fetch refuses is ready', async () => {
  const server = createServer()
  for (const port of [6000, 6566, 6697, 10080]) {
    server.listen(port, '127.0.0.1')
    if (await once(server, 'listening').catch(() => undefined)) break
  }
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const { url } = await started(['--port', String(port)])
  expect((await ended(['ready', '--url', url])).code).toBe(0)
})

test('ready waits for an emulator that is about to answer', async () => {
  let looks = 0
  const url = await serving((_, response) => {
    looks += 1
    response.statusCode = looks < 3 ? 503 : 200
    response.end('{"status":"ok","version":"1.2.3"}')
  })
  expect(await ended(['ready', '--wait', '60s', '--url', url])).toMatchObject({
    ...{ code: 0, out: `${url} is ready (version 1.2.3).\n` },
  })
  expect(looks).toBe(3)
})

test('ready can wait for longer than a timer of Node', async () => {
  const url = await serving((_, response) => response.end('{"status":"ok","version":"1.2.3"}'))
  expect(await ended(['ready', '--wait', '60d', '--url', url])).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['one look', [], 'is not ready: nothing listens there.'],
  ['a while', ['--wait', '250ms'], 'is not ready within 250ms: nothing listens there.'],
])('where nothing listens, %s ends with what to do', async (_, wait, message) => {
  const { code, out, err } = await ended(['ready', ...wait, '--url', unusedUrl])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    `backlot: ${unusedUrl} ${message}\nStart an emulator with \`backlot start\`, or name another address with --url.\n`,
  )
})

test('a server that takes the call and never answers is not ready', async () => {
  const url = await serving(() => {})
  expect(await endedHere(['ready', '--wait', '1ms', '--url', url])).toMatchObject({
    code: 1,
    err: expect.stringContaining('it does not answer'),
  })
})

test('another server is not taken for an emulator', async () => {
  const url = await serving((_, response) => response.end('hello'))
  const { code, err } = await ended(['ready', '--url', url])
  expect(code).toBe(1)
  expect(err).toContain('something else answers there, with status 200')
})

test.each([
  ['a wrong URL', ['--url', 'localhost:4650'], /^backlot: --url must be a .*\n/],
  ['a wrong duration', ['--wait', 'soon'], /^backlot: --wait must be a duration .*\n/],
])('%s is wrong usage', async (_, args, sentence) => {
  const { code, err } = await ended(['ready', ...args])
  expect(code).toBe(2)
  expect(err).toMatch(sentence)
})

describe('whose emulator is meant', () => {
  test('its process or its instance, as the ready line says', async () => {
    const { url, pid, instance } = await started()
    expect((await ended(['ready', '--url', url, '--pid', String(pid)])).code).toBe(0)
    expect((await ended(['ready', '--url', url, '--instance', instance])).code).toBe(0)
  })

  test('another emulator at the URL is not taken for it', async () => {
    const { url, pid } = await started()
    const { code, err } = await ended(['ready', '--url', url, '--pid', '1'])
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`another emulator answers there, in process ${pid} and not 1`),
    })
    expect(err).toContain('A program that starts another one, such as npx')
    expect((await ended(['ready', '--url', url, '--instance', 'other'])).code).toBe(1)
  })

  test('an emulator that requires a token cannot be identified without the token', async () => {
    const { url, instance } = await started(['--control-token', 'secret'])
    const asked = ['ready', '--url', url, '--instance', instance]
    const { code, err } = await ended(asked)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('--control-token') })
    expect((await ended([...asked, '--control-token', 'secret'])).code).toBe(0)
  })

  test('ready waits no longer once its process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
    onTestFinished(() => void child.kill('SIGKILL'))
    let looks = 0
    const url = await serving((_, response) => {
      looks += 1
      if (looks === 2) child.kill('SIGKILL')
      response.writeHead(503).end()
    })
    const { code, out, err } = await ended(['ready', '--url', url, '--wait', '60d', '--pid', `${child.pid}`])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`with status 503, and the process ${child.pid} has ended.`)
    expect(looks).toBeGreaterThanOrEqual(2)
  })

  test('a process is a number', async () => {
    expect((await ended(['ready', '--pid', 'mine'])).code).toBe(2)
  })
})
