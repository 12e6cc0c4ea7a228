import { expect, test } from 'vitest'
import { readSettings, settingsSchema } from '../../src/emulator/settings.js'

test.each([
  ['nothing', {}],
  ['some settings', { port: 0, clock: 'paused', corsOrigins: ['*'], seed: 7 }],
  ['a setting of undefined', { port: undefined }],
])('what is left open has the default of its schema: %s', (_, given) =>
  expect(readSettings(given)).toEqual(settingsSchema.parse(given)),
)

test('a list that is a default is another one each time', () => {
  const { corsOrigins } = readSettings({})
  expect(readSettings({}).corsOrigins).not.toBe(corsOrigins)
})

test.each(['http://localhost:5173', 'https://dev.example.com', '*'])(
  'a page may have the origin %s',
  (origin) => expect(readSettings({ corsOrigins: [origin] }).corsOrigins).toEqual([origin]),
)

test.each([
  'http://localhost:80',
  'http://LOCALHOST:5173',
  'http://*.example.com',
  'http://localhost:99999',
  'http://localhost/',
])('an origin that no browser sends is refused: %s', (origin) =>
  expect(() => readSettings({ corsOrigins: [origin] })).toThrow(
    `corsOrigins[0] must be an origin such as http://localhost:5173, or *, found "${origin}".`,
  ),
)

test.each(['mediaFolder', 'ffmpeg'])('%s is no empty text', (name) =>
  expect(() => readSettings({ [name]: '' })).toThrow(`${name} must be at least 1 character long`),
)

test.each([
  ['clok', 'clok is no setting, did you mean clock?'],
  ['qqqqqqqqqq', 'qqqqqqqqqq is no setting.'],
])('a name that is no setting, such as %s, is refused in a sentence', (name, sentence) =>
  expect(() => readSettings({ [name]: 1 })).toThrow(expect.objectContaining({ sentence })),
)

test.each([
  ['redis://:hunter2@127.0.0.1:6379/abc', 'a URL with the number of a database as its path'],
  ['redis://:hunter2@127.0.0.1:6379/2/x', 'a URL with the number of a database as its path'],
  ['redis://:100%hunter2@127.0.0.1:6379', 'a URL with its user and password percent-encoded'],
  ['redis://user:6379#hunter2@127.0.0.1', 'a URL with its user and password percent-encoded'],
  ['redis://:hunter2@127.0.0.1:6379?tls=true', 'a URL without a query: TLS is rediss://'],
  ['redis://:hunter2@127.0.0.1:6379/?db=3', 'a URL without a query: .*, a database is the path'],
  ['redis://:hunter2@127.0.0.1:6379?', 'a URL without a query'],
  ['redis://user:6379?hunter2@127.0.0.1', '\\? in a password is %3F'],
  ['redis://:a/hunter2@127.0.0.1:6379', 'with its password percent-encoded'],
])('the URL of a store is refused without its password: %s', (store, sentence) =>
  expect(() => readSettings({ store })).toThrow(
    expect.objectContaining({
      sentence: expect.stringMatching(new RegExp(`^store must be (?!.*hunter2).*${sentence}`)),
      code: 'bad-setting',
    }),
  ),
)

test('the URL of a store can have a database and a percent-encoded password', () => {
  const store = 'rediss://user:100%25%2F@127.0.0.1:6379/2'
  expect(readSettings({ store })).toMatchObject({ store })
})
