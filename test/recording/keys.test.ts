import { expect, test } from 'vitest'
import { credentialProblem, keyKindOf, openAccount } from '../../src/emulator/core/account/account.js'
import { accountIdOf } from '../../src/emulator/core/account/account-id.js'
import { SeededRandom } from '../../src/emulator/core/account/random.js'
import { readSettings } from '../../src/emulator/settings.js'
import { replayKey } from '../../src/recording/keys.js'

const settings = readSettings({})
const exp = 1_767_225_600
const token = `e30.${Buffer.from(JSON.stringify({ exp, sub: 'me' })).toString('base64url')}.signature`
const clock = { mode: 'paused', speed: 1, now: 0, wall: 0 } as const

test.each([
  ['some-key', { is: 'plain' }],
  ['default', { is: 'default' }],
  ['invalid', { is: 'invalid' }],
  ['invalid-1', { is: 'invalid' }],
  ['no-balance-1', { is: 'no-balance' }],
  ['no-agreement', { is: 'no-agreement' }],
  ['rate-limited', { is: 'rate-limited' }],
  [token, { is: 'token', expires: exp }],
])('%s', (key, nature) => {
  expect(keyKindOf(key, settings)).toEqual(nature)
  const standIn = replayKey(keyKindOf(key, settings), accountIdOf(key))
  expect(standIn).not.toBe(key)
  expect(accountIdOf(standIn)).toBe(accountIdOf(key))
})

test.each(['some-key', 'invalid-1', 'no-balance-1', 'no-agreement', 'rate-limited', token])(
  'what stands in for %s behaves and draws as it does',
  (key) => {
    const standIn = replayKey(keyKindOf(key, settings), accountIdOf(key))
    const account = (of: string) => {
      const { credit, agreementAccepted, limits, id: tag } = openAccount(of, settings, clock)
      return { credit, agreementAccepted, limits, tag }
    }
    expect(account(standIn)).toEqual(account(key))
    const drawn = (of: string) => new SeededRandom(1, accountIdOf(of), 1).hex('x', 64)
    expect(drawn(standIn)).toBe(drawn(key))
    for (const now of [exp * 1_000 - 1, exp * 1_000])
      expect(credentialProblem(standIn, settings, now)).toBe(credentialProblem(key, settings, now))
  },
)

test('a key that is not among the configured ones is invalid', () =>
  expect(keyKindOf('stranger', readSettings({ account: ['friend'] }))).toEqual({ is: 'invalid' }))
