import { expect, test } from 'vitest'
import { commandSchema, parseSettingText } from '../../../src/command/settings/sources.js'

const { shape } = commandSchema

test.each([
  ['a whole number', 'port', '8080', 8080],
  ['a fraction', 'speed', '0.5', 0.5],
  ['zero', 'seed', '0', 0],
  ['true', 'strict', 'true', true],
  ['1 as true', 'strict', '1', true],
  ['False as false', 'strict', 'False', false],
  ['0 as false', 'strict', '0', false],
  ['null as no limit', 'imageQuota', 'null', null],
  ['the number of a limit', 'imageQuota', '3', 3],
  ['a text', 'host', '0.0.0.0', '0.0.0.0'],
  ['digits as a text where a text is asked for', 'controlToken', '12345', '12345'],
  ['a choice', 'clock', 'on-poll', 'on-poll'],
  ['a list at its commas', 'callbackHosts', 'a.test, *.b.test,', ['a.test', '*.b.test']],
  ['a list of one', 'callbackHosts', 'a.test', ['a.test']],
  ['a list as JSON', 'moderationWords', '["a,b","c"]', ['a,b', 'c']],
  ['a word in brackets as a word', 'moderationWords', '[[moderation]],blood', ['[[moderation]]', 'blood']],
  ['an object as JSON', 'prices', '{"gamma-H3":2}', { 'gamma-H3': 2 }],
  ['accounts as keys', 'account', 'alice,bob', ['alice', 'bob']],
  ['an account as JSON', 'account', '[{"key":"alice","balance":0}]', [{ key: 'alice', balance: 0 }]],
] as const)('reads %s', (_, name, text, value) => expect(parseSettingText(shape[name], text)).toEqual(value))

test.each([
  ['a word for a number', 'port', 'http'],
  ['nothing for a number', 'port', ' '],
  ['an infinite number', 'speed', 'Infinity'],
  ['a word for a switch', 'strict', 'maybe'],
  ['broken JSON', 'prices', '{"gamma-H3":'],
] as const)('leaves %s as it is, to be refused', (_, name, text) =>
  expect(parseSettingText(shape[name], text)).toBe(text),
)
