import { expect, test } from 'vitest'
import { refusalOf, settingsOf } from './sources.js'

const listed = [{ key: 'alice', balance: 0, agreementAccepted: false, limits: { imageQuota: 2 } }, 'bob']

test.each([
  ['accounts.json', JSON.stringify(listed)],
  [
    'accounts.yaml',
    '- key: alice\n  balance: 0\n  agreementAccepted: false\n  limits: { imageQuota: 2 }\n- bob\n',
  ],
])('a file of accounts is read: %s', async (name, text) => {
  const { settings } = await settingsOf({ flags: ['--account', name], files: { [name]: text } })
  expect(settings.account).toEqual(listed)
})

test('keys and files can be mixed, in every source', async () => {
  const { settings } = await settingsOf({
    environment: { BACKLOT_ACCOUNT: 'carol,accounts.json' },
    files: { 'accounts.json': '["dave"]' },
  })
  expect(settings.account).toEqual(['carol', 'dave'])
})

test.each([
  ['no list', '{"key":"secret"}', 'accounts.json: accounts must be an array.'],
  ['no key', '[{"balance":1}]', 'accounts.json: accounts[0].key must be a string.'],
  ['an empty key', '[{"key":""}]', 'accounts.json: accounts[0].key must be at least 1 character long.'],
  [
    'a negative limit',
    '[{"key":"secret","limits":{"imageQuota":-1}}]',
    'accounts.json: accounts[0].limits.imageQuota must be at least 0.',
  ],
  [
    'an unknown field',
    '[{"key":"secret","balanse":1}]',
    'balanse is no field of an account; there are key, balance, agreementAccepted, limits.',
  ],
  [
    'an unknown limit',
    '[{"key":"secret","limits":{"images":1}}]',
    'images is no field of the limits of an account; there are requestsPerMinute, tasksInFlight, imageQuota.',
  ],
])('a file with %s is refused without its keys', async (_, text, message) => {
  const written = { flags: ['--account', 'accounts.json'], files: { 'accounts.json': text } }
  expect(await refusalOf(written)).toBe(message)
})

test('a file that is not there is refused', async () => {
  expect(await refusalOf({ flags: ['--account', 'gone.yml'] })).toMatch(/^There is no file .*gone\.yml\.$/)
})
