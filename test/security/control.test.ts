import { expect, test } from 'vitest'
import { connectEmulator } from '../../src/emulator/client/remote.js'
import { startEmulator } from '../../src/start-emulator.js'
import { startForRawCalls } from './raw-calls.js'

const CLOCK = '/_backlot/clock'

const hostOf = (port: number, name = '127.0.0.1') => ({ host: `${name}:${port}` })

test.each([
  ...['127.0.0.1', 'localhost', '127.0.0.7', '[::1]', 'mine.localhost', 'LOCALHOST', '10.0.0.7'],
  ...['backlot', 'backlot.internal', 'desk.local', 'backlot.test'],
])('the control API answers under the name %s, which no stranger can own', async (name) => {
  const { ask, port } = await startForRawCalls()
  expect((await ask(CLOCK, { headers: hostOf(port, name) })).status).toBe(200)
})

test.each([
  ...['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', 'user@evil.example'],
  ...['evil.example.', 'localhost:1@evil.example'],
])('the control API refuses the name %s, which a page may have had resolve here', async (name) => {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const { ask, port, emulator } = await startForRawCalls({ host })
    const headers = { ...hostOf(port, name), 'x-backlot-token': emulator.settings.controlToken ?? '' }
    const { status, body } = await ask(CLOCK, { headers })
    expect([status, body.error.code]).toEqual([403, 'foreign-host'])
    expect(body.error.hint).toContain('--allowed-hosts')
  }
})

test('the control API answers under the host of the public URL, and not under a similar one', async () => {
  const { ask } = await startForRawCalls({ publicUrl: 'https://media.mine.example/base' })
  expect((await ask(CLOCK, { headers: { host: 'media.mine.example' } })).status).toBe(200)
  expect((await ask(CLOCK, { headers: { host: 'mine.example' } })).status).toBe(403)
})

test.each([
  ['a program', () => ({})],
  ['a page of its own', (port: number) => ({ origin: `http://127.0.0.1:${port}` })],
  ['a page of its own, as browsers say', () => ({ 'sec-fetch-site': 'same-origin' })],
  ['an address that somebody typed', () => ({ 'sec-fetch-site': 'none' })],
])('it answers to %s', async (_, headers) => {
  const { ask, port } = await startForRawCalls()
  expect((await ask(CLOCK, { headers: { ...hostOf(port), ...headers(port) } })).status).toBe(200)
})

test.each([
  ['another site', () => ({ origin: 'https://evil.test' })],
  ['another port of this machine', (port: number) => ({ origin: `http://127.0.0.1:${port + 1}` })],
  [
    'a name of this machine that is not the one asked',
    (port: number) => ({ origin: `http://localhost:${port}` }),
  ],
  ['a page without an origin', () => ({ origin: 'null' })],
  ['a page without an origin, under the name none', () => ({ origin: 'null', host: 'none' })],
  ['a page of a file', () => ({ origin: 'file://' })],
  ['an empty origin', () => ({ origin: '' })],
  ['a page that embeds it', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['a page of another port that embeds it', () => ({ 'sec-fetch-site': 'same-site' })],
])('it does not answer to %s', async (_, headers) => {
  const { ask, port } = await startForRawCalls()
  const { status, body } = await ask(CLOCK, { headers: { ...hostOf(port), ...headers(port) } })
  expect([status, body.error.code]).toEqual([403, 'foreign-origin'])
})

test('behind a proxy that replaces the Host, it answers to a page of the public URL', async () => {
  const { ask } = await startForRawCalls({ publicUrl: 'https://media.mine.example/base' })
  expect((await ask(CLOCK, { headers: { origin: 'https://media.mine.example' } })).status).toBe(200)
  expect((await ask(CLOCK, { headers: { origin: 'https://mine.example' } })).status).toBe(403)
  expect((await ask(CLOCK, { headers: { origin: 'null' } })).status).toBe(403)
})

test('a refused page changes nothing', async () => {
  const { emulator, ask, post } = await startForRawCalls()
  const refused = await post('/_backlot/clock/advance', { by: '1h' }, { origin: 'https://evil.test' })
  expect(refused.status).toBe(403)
  expect((await ask(CLOCK)).body.now).toBe('2026-01-01T00:00:00.000Z')
  expect(await emulator.store.keys()).not.toContain('sk-raw-0123456789')
})

test('no answer of it tells a browser that other sites may read it', async () => {
  const { ask } = await startForRawCalls()
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } }
  for (const answer of [await ask(CLOCK), await ask(CLOCK, preflight)])
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

const asking = (token: string) => ({ headers: { 'x-backlot-token': token } })

test('on loopback the control API requires no token', async () => {
  const { emulator, ask } = await startForRawCalls()
  expect(emulator.settings.controlToken).toBeUndefined()
  expect((await ask(CLOCK)).status).toBe(200)
})

test.each(['0.0.0.0', '::'])('an emulator bound to %s asks for a random token', async (host) => {
  const { emulator, ask } = await startForRawCalls({ host })
  const token = emulator.madeToken ?? ''
  expect(Buffer.from(token, 'base64url')).toHaveLength(18)
  expect((await ask(CLOCK)).body.error.code).toBe('token-needed')
  expect((await ask(CLOCK, asking(token))).status).toBe(200)
  expect((await ask(`${CLOCK}?token=${token}`)).status).toBe(200)
})

test('a wrong token is told from a missing one', async () => {
  const { ask } = await startForRawCalls({ controlToken: 'open-sesame' })
  const sentence = async (path: string) => (await ask(path)).body.error.message
  expect(await sentence(CLOCK)).toBe('The control API of this emulator wants its token.')
  expect(await sentence(`${CLOCK}?token=a`)).toBe('The token that was sent is not the one of this emulator.')
})

test('two emulators make two tokens', async () => {
  const tokens = [await startForRawCalls({ host: '0.0.0.0' }), await startForRawCalls({ host: '0.0.0.0' })]
  expect(new Set(tokens.map(({ emulator }) => emulator.madeToken)).size).toBe(2)
})

test.each(['', 'open-sesam', 'open-sesame ', 'open-sesamé', 'OPEN-SESAME'])(
  'the token %j is not the one that was given',
  async (token) => {
    const { ask } = await startForRawCalls({ controlToken: 'open-sesame' })
    expect((await ask(CLOCK, { headers: { 'x-backlot-token': encodeURIComponent(token) } })).status).toBe(401)
    expect((await ask(`${CLOCK}?token=${encodeURIComponent(token)}`)).status).toBe(401)
    expect((await ask(CLOCK, asking('open-sesame'))).status).toBe(200)
  },
)

test.each(['?token[]=open-sesame', '?token=open-sesame&token=open-sesame', '?token[x]=open-sesame'])(
  'the query %s is no token',
  async (query) => {
    const { ask } = await startForRawCalls({ controlToken: 'open-sesame' })
    expect((await ask(CLOCK + query)).status).toBe(401)
  },
)

test.each([
  '/_backlot/clock',
  '/_BACKLOT/clock',
  '/_backlot//clock',
  '/%5fbacklot/clock',
  '/x/../_backlot/clock',
  '//_backlot/clock',
])('no spelling of a path comes past the token: %s', async (path) => {
  const { ask } = await startForRawCalls({ controlToken: 'open-sesame' })
  expect([401, 404]).toContain((await ask(path)).status)
  expect((await ask(path)).text).not.toContain('"now"')
})

test('the package makes a token beyond loopback too, and says which', async () => {
  await using emulator = await startEmulator({ host: '0.0.0.0' })
  const { url, controlToken: token } = emulator
  await expect(connectEmulator(url).clock.read()).rejects.toMatchObject({ code: 'token-needed' })
  expect((await connectEmulator(url, { token }).clock.read()).mode).toBe('on-poll')
  expect((await emulator.clock.read()).mode).toBe('on-poll')
})

test('the fixtures are open to all, and the inbox to callbacks, which have no token', async () => {
  const { ask, post } = await startForRawCalls({ controlToken: 'open-sesame' })
  expect((await ask('/_backlot/fixtures/square.png')).status).toBe(200)
  expect((await post('/_backlot/inbox/hook', { id: 'x' })).status).toBe(200)
  expect((await ask('/_backlot/inbox/hook')).status).toBe(401)
})
