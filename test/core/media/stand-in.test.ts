import { expect, test } from 'vitest'
import { bytesOfStandIn, readStandIn, type StandIn } from '../../../src/core/media/stand-in.js'

const standIn: StandIn = {
  sha256: 'a'.repeat(64),
  bytes: 123_456,
  format: 'wav',
  probe: { kind: 'audio', format: 'wav', bytes: 123_456, seconds: 5 },
}

test('says what it stands for', () => expect(readStandIn(bytesOfStandIn(standIn))).toEqual(standIn))

test.each([
  ['nothing', new Uint8Array()],
  ['another letter', Buffer.from('x')],
  ['the same letter', Buffer.from('b')],
  ['the beginning alone', Buffer.from('backlot stand-in 1\n')],
  ['something else behind the beginning', Buffer.from('backlot stand-in 1\n{"sha256":"x"}')],
  ['a long file', Buffer.concat([bytesOfStandIn(standIn), Buffer.alloc(5_000, ' ')])],
])('%s is none', (_, bytes) => expect(readStandIn(bytes)).toBeUndefined())
