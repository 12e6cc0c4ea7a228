import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findConfigFile, fromConfigFile } from '../../../src/command/settings/sources.js'
import { folderWith, refusalOf, settingsOf } from './sources.js'

describe('config file', () => {
  const forms: Record<string, string> = {
    'backlot.config.json': '{"port":8080,"moderationWords":["a"]}',
    'backlot.config.yaml': 'port: 8080 # a comment\nmoderationWords: [a]\n',
    'backlot.config.yml': 'port: 8080\nmoderationWords:\n  - a\n',
    'backlot.config.js': 'module.exports = { port: 8080, moderationWords: ["a"] }',
    'backlot.config.cjs': 'module.exports = { port: 8080, moderationWords: ["a"] }',
    'backlot.config.mts': 'const port: number = 8080\nexport default { port, moderationWords: ["a"] }',
    'backlot.config.cts': 'const port: number = 8080\nexport default { port, moderationWords: ["a"] }',
    'backlot.config.mjs': 'export default { port: 8080, moderationWords: ["a"] }',
    'backlot.config.ts':
      'const port: number = 8080\nexport default { port, moderationWords: ["a"], host: undefined }',
  }

  test.each(Object.entries(forms))('%s is found and read', async (name, text) => {
    const { settings } = await settingsOf({ files: { [name]: text } })
    expect(settings).toMatchObject({ port: 8080, moderationWords: ['a'], host: '127.0.0.1' })
  })

  test('a byte order mark before it is no part of it', async () => {
    const { settings } = await settingsOf({ files: { 'backlot.config.json': '\uFEFF{"port":8080}' } })
    expect(settings.port).toBe(8080)
  })

  test('it can be in UTF-16, which Windows PowerShell writes', async () => {
    const bytes = Buffer.from('\uFEFF{"port":8080}', 'utf16le')
    const { settings } = await settingsOf({ files: { 'backlot.config.json': bytes } })
    expect(settings.port).toBe(8080)
  })

  test.each([
    [
      'a list',
      { 'backlot.config.json': '[1]' },
      /backlot\.config\.json must hold an object of settings, found a list/,
    ],
    ['a text', { 'backlot.config.yaml': 'port' }, /must hold an object of settings, found string/],
    [
      'broken JSON',
      { 'backlot.config.json': '{\n  "port": 1,\n  "seed" 2\n}' },
      /backlot\.config\.json:3:10: \S/,
    ],
    [
      'JSON that ends too soon',
      { 'backlot.config.json': '{"port":' },
      /backlot\.config\.json:1:9: a bracket before this is not closed: } is missing$/,
    ],
    [
      'JSON with a comma too many',
      { 'backlot.config.json': '{\n  "port": 1,\n}' },
      /backlot\.config\.json:3:1: this is no JSON: \S/,
    ],
    [
      'JSON with a comment',
      { 'backlot.config.json': '{\n  // of the tests\n  "port": 1\n}' },
      /backlot\.config\.json:2:3: JSON has no comments: \S/,
    ],
    [
      'JSON with a comment before it',
      { 'backlot.config.json': '// of the tests\n{"port": 1}' },
      /backlot\.config\.json:1:1: JSON has no comments: \S/,
    ],
    [
      'JSON with a comment behind a value',
      { 'backlot.config.json': '{"port": 1, /* mine */\n"seed": 2}' },
      /backlot\.config\.json:1:13: JSON has no comments: \S/,
    ],
    [
      'JSON with single quotes',
      { 'backlot.config.json': `{\n  "port": 1, "clock": 'paused',\n  "seed": 2}` },
      /backlot\.config\.json:2:23: JSON has texts in double quotes$/,
    ],
    [
      'JSON with a word that is no text',
      { 'backlot.config.json': '{"port": 1,\n "seed": NaN,\n "clock": "paused"}' },
      /backlot\.config\.json:2:10: this is no JSON: Unexpected token 'N'$/,
    ],
    [
      'a key that stands there twice',
      { 'backlot.config.json': '{"port":1,\n"port":2}' },
      /backlot\.config\.json:2:1: this key stands here twice, first at 1:2: give it once$/,
    ],
    [
      'broken YAML',
      { 'backlot.config.yaml': 'seed: 1\nport: [1' },
      /backlot\.config\.yaml:2:9: this is not indented as what it belongs to, or a bracket before it is not closed$/,
    ],
    [
      'broken code',
      { 'backlot.config.mjs': 'export default {\n  port: 1,\n  host "x",\n}' },
      /backlot\.config\.mjs:3:\d+ cannot be read: \S/,
    ],
    [
      'broken TypeScript',
      { 'backlot.config.ts': 'export default {\n  port: 1 as number,\n  host "x",\n}' },
      /backlot\.config\.ts:3:\d+ cannot be read: Unexpected token, expected ","\.$/,
    ],
    [
      'code that throws',
      { 'backlot.config.ts': 'const why: string = "no luck"\nthrow new Error(why)' },
      /backlot\.config\.ts:2:\d+ cannot be read: no luck\.$/,
    ],
    [
      'code that throws in its first line',
      { 'backlot.config.ts': "export { nothing } from 'no-such-package'" },
      /backlot\.config\.ts:1 cannot be read: Cannot find (module|package) 'no-such-package'/,
    ],
    [
      'a format that is not read',
      { 'backlot.config.toml': 'port = 1' },
      /backlot\.config\.toml is no configuration file by its name\.$/,
    ],
    ['no default export', { 'backlot.config.ts': 'export const port = 1' }, /has no default export/],
    [
      'two files',
      { 'backlot.config.json': '{}', 'backlot.config.ts': '' },
      /^There is more than one configuration file: backlot\.config\.json, backlot\.config\.ts\.$/,
    ],
    [
      'a bigint in place of a number',
      { 'backlot.config.mjs': 'export default { port: 8080n }' },
      /^backlot\.config\.mjs: port must be a number, found "8080n"\.$/,
    ],
    [
      'a wrong value',
      { 'backlot.config.json': '{"port":"8080"}' },
      /^backlot\.config\.json:1:9: port must be a number, found "8080"\.$/,
    ],
    [
      'wrong values on several lines',
      { 'backlot.config.yaml': 'seed: 1\nport: many\nclock: poll\n' },
      /^backlot\.config\.yaml:2:7: port must be .*\.\nbacklot\.config\.yaml:3:8: clock must be .*/,
    ],
    [
      'a misspelt key',
      { 'backlot.config.yaml': 'moderationWord: []' },
      /^backlot\.config\.yaml:1:1: moderationWord is no setting, did you mean moderationWords\?$/,
    ],
    [
      'a wrong account, without its key',
      { 'backlot.config.json': '{"account":[{"key":"secret","balance":"much"}]}' },
      /^backlot\.config\.json:1:12: account\[0\]\.balance must be a number\.$/,
    ],
    [
      'an account that is listed twice, without its key',
      { 'backlot.config.json': '{"account":["other",{"key":"secret","balance":1},"secret"]}' },
      /^backlot\.config\.json:1:12: account\[2\] must be a key that is not listed before; account\[1\] has it\.$/,
    ],
    [
      'a wrong control token, without it',
      { 'backlot.config.json': '{"controlToken":12345}' },
      /^backlot\.config\.json:1:17: controlToken must be a string\.$/,
    ],
  ])('%s is refused', async (_, files, message) =>
    expect(await refusalOf({ files: files as Record<string, string> })).toMatch(message),
  )

  test('a file of comments alone says nothing', async () => {
    const { settings } = await settingsOf({ files: { 'backlot.config.yaml': '# later\n' } })
    expect(settings.port).toBe(4650)
  })

  test('a file of another kind is refused with the kinds that there are', async () => {
    const refused = await refusalOf({
      flags: ['--config', 'backlot.toml'],
      files: { 'backlot.toml': 'port = 1' },
    })
    expect(refused).toMatch(/backlot\.toml is no configuration file by its name\.$/)
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

  test('an empty BACKLOT_CONFIG is ignored', async () => {
    const files = { 'backlot.config.json': '{"seed":2}' }
    expect((await settingsOf({ environment: { BACKLOT_CONFIG: '' }, files })).settings.seed).toBe(2)
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
    ['nothing', '', 'accounts.yaml:1:1: the file is empty: it must be an array'],
    ['an empty list', '[]', 'accounts.yaml:1:1: the file must be a list of at least 1 item'],
    ['no list', 'key: secret', 'accounts.yaml:1:1: the file must be an array'],
    ['no key', '- balance: 1', 'accounts.yaml:1:3: key is missing: it must be a string'],
    ['an empty key', "- key: ''", 'accounts.yaml:1:8: key must be at least 1 character long'],
    [
      'a key that is a number',
      '- 12345',
      'accounts.yaml:1:3: the item must be a key, or an object with key, balance, agreementAccepted and limits',
    ],
    ['a key in an open quote', "- 'secret", "accounts.yaml:1:10: the closing ' is missing"],
    [
      'a mistake in each of its accounts',
      `- key: secret
  balnce: 0
- key: secret
  balance: much
- key: secret
  limits: { imageQuota: -1, images: 2 }
`,
      `accounts.yaml:2:3: there is no key "balnce" here: did you mean balance? Also possible: key, agreementAccepted, limits
accounts.yaml:4:12: balance must be a number, found "much"
accounts.yaml:6:25: imageQuota must be at least 0, found -1
accounts.yaml:6:29: there is no key "images" here: possible are requestsPerMinute, tasksInFlight, imageQuota`,
    ],
  ])('a file with %s is refused, all of it at once and without its keys', async (_, text, lines) => {
    const written = { flags: ['--account', 'accounts.yaml'], files: { 'accounts.yaml': text } }
    expect(await refusalOf(written)).toBe(`The accounts cannot be read.\n${lines}`)
  })

  test('an account in the settings names what it cannot have', async () => {
    const files = { 'backlot.config.yaml': 'account: [{ key: secret, balnce: 0 }]' }
    expect(await refusalOf({ files })).toBe('backlot.config.yaml:1:10: account[0] must be without "balnce".')
  })

  test.each(['gone.yml', 'nosuch.txt', './keys', 'keys/of-tests', 'C:\\keys\\mine', 'accounts.JSON'])(
    'a file that is not there is refused, and is no key: %s',
    async (name) => {
      const refused = await refusalOf({ flags: ['--account', name] })
      expect(refused).toMatch(/^There is no file .*\.$/)
      expect(refused).toContain(name.split(/[/\\]/).at(-1))
    },
  )

  test('a file of another kind is no key either', async () => {
    const files = { 'keys.txt': 'alice\nbob\n' }
    expect(await refusalOf({ flags: ['--account', 'keys.txt'], files })).toBe(
      'keys.txt is no account file by its name.',
    )
  })

  test.each(['alice', 'sk-1.2', 'a.b.c', 'tom@example.test', 'eyJhbGciOiJIUzI1NiJ9.e30.x-_'])(
    'what looks like no file is a key: %s',
    async (key) => {
      expect((await settingsOf({ flags: ['--account', key] })).settings.account).toEqual([key])
    },
  )

  test('a key with a slash is given as an object', async () => {
    const { settings } = await settingsOf({ flags: ['--account', '{"key":"a/b=="}'] })
    expect(settings.account).toEqual([{ key: 'a/b==' }])
  })
})
