import { expect, test } from 'vitest'
import { balanceOf, openAccount, spentOf } from '../../../../src/emulator/core/account/account.js'
import { accountIdOf } from '../../../../src/emulator/core/account/account-id.js'
import { type SettingsInput, settingsSchema } from '../../../../src/emulator/settings.js'

const opened = (key: string, settings: SettingsInput = {}) =>
  openAccount(key, settingsSchema.parse(settings), { mode: 'paused', speed: 1, now: 0, wall: 0 })

const noLimits = { requestsPerMinute: null, tasksInFlight: null, imageQuota: null }

test('an ordinary account is rich, has agreed and is not limited', () => {
  const account = opened('key')
  expect(balanceOf(account)).toBe(1_000_000)
  expect(account.agreementAccepted).toBe(true)
  expect(account.limits).toEqual(noLimits)
})

test('an account that has spent all it had has nothing left, to the last digit', () => {
  const account = opened('key', { balance: 0.8 })
  for (let times = 0; times < 8; times += 1) account.spent += 0.1
  expect(balanceOf(account)).toBe(0)
  account.spent -= 0.001
  expect(balanceOf(account)).toBe(0.001)
})

test('an account that has spent a little more than it had, by the last digit, has 0 and not -0', () => {
  const account = opened('key', { balance: 0.3 })
  for (let times = 0; times < 3; times += 1) account.spent += 0.1
  expect(account.credit - account.spent).toBeLessThan(0)
  expect(balanceOf(account)).toBe(0)
})

test('three times 0.1 is 0.3 spent, and the balance beside it says so too', () => {
  const account = opened('key', { balance: 1 })
  for (let times = 0; times < 3; times += 1) account.spent += 0.1
  expect([spentOf(account), balanceOf(account)]).toEqual([0.3, 0.7])
})

test('the settings say what accounts open with', () => {
  const account = opened('key', { balance: 12.5, requestsPerMinute: 3, tasksInFlight: 2, imageQuota: 100 })
  expect(balanceOf(account)).toBe(12.5)
  expect(account.limits).toEqual({ requestsPerMinute: 3, tasksInFlight: 2, imageQuota: 100 })
})

test('the list of accounts says more, and leaves the rest to the settings', () => {
  const settings = { tasksInFlight: 2, account: [{ key: 'alice', balance: 7, limits: { imageQuota: 1 } }] }
  const account = opened('alice', settings)
  expect(balanceOf(account)).toBe(7)
  expect(account.limits).toEqual({ requestsPerMinute: null, tasksInFlight: 2, imageQuota: 1 })
})

test('a listed null lifts a limit of the settings', () => {
  const settings = { tasksInFlight: 2, account: [{ key: 'alice', limits: { tasksInFlight: null } }] }
  expect(opened('alice', settings).limits.tasksInFlight).toBeNull()
})

test('a listed account may not have agreed', () =>
  expect(opened('alice', { account: [{ key: 'alice', agreementAccepted: false }] }).agreementAccepted).toBe(
    false,
  ))

test.each(['no-balance', 'no-balance-1', 'no-balance…'])('%s has no balance and no images left', (key) => {
  const account = opened(key, { balance: 5, imageQuota: 10 })
  expect(balanceOf(account)).toBe(0)
  expect(account.limits.imageQuota).toBe(0)
})

test.each(['no-agreement', 'no-agreement-1'])('%s has not agreed', (key) => {
  expect(opened(key).agreementAccepted).toBe(false)
  expect(balanceOf(opened(key))).toBe(1_000_000)
})

test.each(['rate-limited', 'rate-limited-1'])('%s accepts no create', (key) =>
  expect(opened(key, { requestsPerMinute: 10 }).limits.requestsPerMinute).toBe(0),
)

test.each(['my-no-balance', 'No-Balance', 'nobalance'])('%s is an ordinary key', (key) =>
  expect(balanceOf(opened(key))).toBe(1_000_000),
)

test('a tag follows from the key and does not show it', () => {
  expect(accountIdOf('secret')).toMatch(/^[0-9a-f]{12}$/)
  expect(accountIdOf('secret')).toBe(opened('secret').id)
  expect(accountIdOf('secret')).not.toBe(accountIdOf('secret2'))
})
