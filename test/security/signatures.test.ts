import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { signingSecretOf } from '../../src/emulator/accounts/signing-secret.js'
import { accountIdOf } from '../../src/emulator/core/account/account-id.js'
import { SeededRandom } from '../../src/emulator/core/account/random.js'
import { readSettings } from '../../src/emulator/settings.js'
import { localPart, pictureUrl, startForRawCalls } from './raw-calls.js'

const beyond = { host: '0.0.0.0' }

const secretOfSeed = (seed: number): string =>
  new SeededRandom(seed, accountIdOf('results'), 0).hex('secret', 64)

/** A URL signed anew with a known secret. */
const resigned = (url: string, secret: string): string => {
  const [place = '', expires = ''] = localPart(url).split(/\?Expires=|&/)
  const digest = createHmac('sha256', secret).update(`${place}?${expires}`).digest()
  const letters = digest.subarray(0, 20).toString('base64')
  const signature = `${letters.slice(0, 8)}+${letters.slice(9, 17)}/${letters.slice(18)}`
  return `${place}?Expires=${expires}&Signature=${encodeURIComponent(signature)}`
}

test('on loopback the same run gives the same URLs, so that they can be compared', async () => {
  const [first, second] = [await startForRawCalls({ seed: 7 }), await startForRawCalls({ seed: 7 })]
  expect(localPart(await pictureUrl(first))).toBe(localPart(await pictureUrl(second)))
})

test('beyond loopback no run gives the URLs of another', async () => {
  const [first, second] = [await startForRawCalls(beyond), await startForRawCalls(beyond)]
  const url = localPart(await pictureUrl(first))
  expect(url).not.toBe(localPart(await pictureUrl(second)))
  expect((await first.ask(url)).status).toBe(200)
  expect((await second.ask(url)).status).toBe(403)
})

test('beyond loopback the seed is not enough to sign a URL', async () => {
  const started = await startForRawCalls({ ...beyond, seed: 7 })
  const forged = resigned(await pictureUrl(started), secretOfSeed(7))
  expect((await started.ask(forged)).status).toBe(403)
})

test('with a signing secret runs repeat beyond loopback too, and the seed alone makes no URL', async () => {
  const settings = { ...beyond, seed: 7, signingSecret: 'a-secret-of-our-own' }
  const [first, second] = [await startForRawCalls(settings), await startForRawCalls(settings)]
  const url = await pictureUrl(first)
  expect(localPart(url)).toBe(localPart(await pictureUrl(second)))
  expect(resigned(url, settings.signingSecret)).toBe(localPart(url))
  expect((await first.ask(resigned(url, secretOfSeed(7)))).status).toBe(403)
})

test.each([
  [
    'another account',
    (url: string) => url.replace(/(?<=\/results\/.{11})./, (digit) => (digit === '0' ? '1' : '0')),
  ],
  ['another task', (url: string) => url.replace(/.(?=\/0\.png)/, (last) => (last === 'a' ? 'b' : 'a'))],
  ['another index', (url: string) => url.replace('/0.png', '/1.png')],
  ['another kind', (url: string) => url.replace('.png', '.mp4')],
  ['another expiry', (url: string) => url.replace(/(?<=Expires=)\d/, (digit) => String(Number(digit) + 1))],
  ['another signature', (url: string) => url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ['no signature', (url: string) => url.replace(/&Signature=.*/, '')],
])('a URL with %s opens nothing', async (_, changed) => {
  const started = await startForRawCalls()
  const url = localPart(await pictureUrl(started))
  expect(changed(url)).not.toBe(url)
  expect((await started.ask(url)).status).toBe(200)
  const { status, text } = await started.ask(changed(url))
  expect(status).toBe(403)
  expect(text).toContain('<Code>AccessDenied</Code>')
})

test('a signature opens nothing after its expiry', async () => {
  const started = await startForRawCalls()
  const url = localPart(await pictureUrl(started))
  await started.post('/_backlot/clock/advance', { by: '24h' })
  expect((await started.ask(url)).status).toBe(403)
})

const loopback = { host: '127.0.0.1', seed: 1, signingSecret: undefined }

test('a random secret of a state file keeps signing', () => {
  expect(signingSecretOf(loopback, 'kept')).toBe('kept')
  expect(signingSecretOf({ ...loopback, ...beyond }, 'kept')).toBe('kept')
})

test('a secret of a state file that follows from a seed does not sign beyond loopback', () => {
  const ofSeed = secretOfSeed(1)
  expect(signingSecretOf(loopback, ofSeed)).toBe(ofSeed)
  expect(signingSecretOf({ ...loopback, ...beyond }, ofSeed)).toMatch(/^(?!.*undefined)[0-9a-f]{64}$/)
  expect(signingSecretOf({ ...loopback, ...beyond }, ofSeed)).not.toBe(ofSeed)
})

test('the setting goes before what was kept', () =>
  expect(signingSecretOf({ ...loopback, signingSecret: 'given' }, 'kept')).toBe('given'))

test('a secret of fewer than 16 characters is refused, as the page of settings says', async () => {
  expect(() => readSettings({ signingSecret: 'x'.repeat(15) })).toThrow(
    'signingSecret must be at least 16 characters long',
  )
  expect(readSettings({ signingSecret: 'x'.repeat(16) }).signingSecret).toHaveLength(16)
  expect(await readFile('docs/settings.md', 'utf8')).toMatch(
    /^\| `signingSecret` \|.*\| text of at least 16 characters \|/m,
  )
})
