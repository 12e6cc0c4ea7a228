import { expect, test } from 'vitest'
import { returnsChallenge } from '../../../src/core/callback/challenge.js'

const challenge = 'c'.repeat(32)

test.each([
  ['its text', challenge],
  ['JSON with it', JSON.stringify({ challenge })],
  ['JSON with it and more', JSON.stringify({ code: 0, challenge })],
])('%s gives the challenge back', (_, answer) => expect(returnsChallenge(answer, challenge)).toBe(true))

test.each([
  ['nothing', ''],
  ['a part of it', challenge.slice(1)],
  ['its text and a line break', `${challenge}\n`],
  ['JSON without it', '{}'],
  ['JSON with another', JSON.stringify({ challenge: 'other' })],
  ['JSON with it somewhere else', JSON.stringify({ data: { challenge } })],
  ['a JSON string', JSON.stringify(challenge)],
  ['null', 'null'],
  ['a number', '1'],
])('%s does not', (_, answer) => expect(returnsChallenge(answer, challenge)).toBe(false))
