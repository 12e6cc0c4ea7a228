import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findConfigFile, fromConfigFile } from '../../../src/cli/settings/sources.js'
import { folderWith, refusalOf, settingsOf } from './sources.js'

describe('config file', () => {
  const forms: Record<string, string> = {
    'backlot.config.json': '{"port":8080,"moderationWords":["a"]}',
    'backlot.config.yaml': 'port: 8080 # a comment\nmoderationWords: [a]\n',
    'backlot.config.yml': 'port: 8080\nmoderationWords:\n  - a\n',
    'backlot.config.js': 'module.exports = { port: 8080, moderationWords: ["a"] }',
    'backlot.config.mjs': 'export default { port: 8080, moderationWords: ["a"] }',
    'backlot.config.ts':
      'const port: number = 8080\nexport default { port, moderationWords: ["a"], host: undefined }',
  }

  test.each(Object.entries(forms))('%s is found and read', async (name, text) => {
    const { settings } = await settingsOf({ files: { [name]: text } })
    expect(settings).toMatchObject({ port: 8080, moderationWords: ['a'], host: '127.0.0.1' })
  })

  test.each([
    [
      'a list',
      { 'backlot.config.json': '[1]' },
      /backlot\.config\.json must hold an object of settings, found a list/,
    ],
    ['a text', { 'backlot.config.yaml': 'port' }, /must hold an object of settings, found string/],
    ['broken JSON', { 'backlot.config.json': '{"port":' }, /backlot\.config\.json cannot be read: /],
    ['broken YAML', { 'backlot.config.yaml': 'port: [1' }, /backlot\.config\.yaml cannot be read: .*line 1/],
    ['broken code', { 'backlot.config.mjs': 'export default {' }, /backlot\.config\.mjs cannot be read: /],
    ['code that throws', { 'backlot.config.ts': 'throw new Error("no luck")' }, /cannot be read: no luck\.$/],
    ['no default export', { 'backlot.config.ts': 'export const port = 1' }, /has no default export/],
    [
      'two files',
      { 'backlot.config.json': '{}', 'backlot.config.ts': '' },
      /^There is more than one configuration file: backlot\.config\.json, backlot\.config\.ts\.$/,
    ],
    [
      'a wrong value',
      { 'backlot.config.json': '{"port":"8080"}' },
      /^backlot\.config\.json: port must be a number, found "8080"\.$/,
    ],
    [
      'a misspelt key',
      { 'backlot.config.yaml': 'moderationWord: []' },
      /^backlot\.config\.yaml: moderationWord is no setting, did you mean moderationWords\?$/,
    ],
    [
      'a wrong account, without its key',
      { 'backlot.config.json': '{"account":[{"key":"secret","balance":"much"}]}' },
      /^backlot\.config\.json: account\[0\]\.balance must be a number\.$/,
    ],
    [
      'a wrong control token, without it',
      { 'backlot.config.json': '{"controlToken":12345}' },
      /^backlot\.config\.json: controlToken must be a string\.$/,
    ],
  ])('%s is refused', async (_, files, message) =>
    expect(await refusalOf({ files: files as Record<string, string> })).toMatch(message),
  )

  test('a file of comments alone says nothing', async () => {
    const { settings } = await settingsOf({ files: { 'backlot.config.yaml': '# later\n' } })
    expect(settings.port).toBe(4010)
  })

  test('a folder without one has none', async () => {
    expect(await findConfigFile(await folderWith({ 'config.json': '{}' }))).toBeUndefined()
  })

  test('a file that was named and is not there is refused', async () => {
    const folder = await folderWith()
    await expect(fromConfigFile(join(folder, 'gone.json'))).rejects.toThrow(
      /^There is no file .*gone\.json\.$/,
    )
  })

  test.each([
    ['--config', { flags: ['--config', 'other.json'] }],
    ['BACKLOT_CONFIG', { environment: { BACKLOT_CONFIG: 'other.json' } }],
  ])('%s names another file', async (_, written) => {
    const files = { 'other.json': '{"seed":3}', 'backlot.config.json': '{"seed":2}' }
    expect((await settingsOf({ ...written, files })).settings.seed).toBe(3)
  })
})

describe('accounts', () => {
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
})
