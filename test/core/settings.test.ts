import { expect, test } from 'vitest'
import { readSettings, settingsSchema } from '../../src/core/settings.js'

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

test.each([
  ['clok', 'clok is no setting, did you mean clock?'],
  ['qqqqqqqqqq', 'qqqqqqqqqq is no setting.'],
])('a name that is no setting, such as %s, is refused in a sentence', (name, sentence) =>
  expect(() => readSettings({ [name]: 1 })).toThrow(expect.objectContaining({ sentence })),
)
