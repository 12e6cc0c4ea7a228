import { expect, test } from 'vitest'
import type { OutgoingReply } from '../../../../../src/emulator/core/scenario/effects/effect.js'
import { applyEffectsOf, type StepEffects } from '../../../../../src/emulator/core/scenario/effects/index.js'

const faultyFile = (file: OutgoingReply, result: NonNullable<StepEffects['result']>) =>
  applyEffectsOf('result', { result }, file, undefined)

const file: OutgoingReply = {
  status: 200,
  headers: { 'Content-Type': 'video/mp4', ETag: '"1"' },
  body: undefined,
  bytes: Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251)),
}

const differing = (bytes: Buffer) =>
  [...bytes].flatMap((byte, index) => (byte === file.bytes[index] ? [] : [index]))

test('cut: only the beginning, with a length that is true of it', () => {
  const { bytes, declaredBytes } = faultyFile(file, { cutAt: 100 })
  expect(bytes).toEqual(file.bytes.subarray(0, 100))
  expect(declaredBytes).toBeUndefined()
})

test.each([
  [50, 1_050],
  [-50, 950],
  [-5_000, 0],
])('a length off by %i says %i', (lengthOffBy, declared) => {
  const { bytes, declaredBytes } = faultyFile(file, { lengthOffBy })
  expect(bytes).toBe(file.bytes)
  expect(declaredBytes).toBe(declared)
})

test('corrupt: as long as before, with an eighth of other bytes in the middle and the file itself untouched', () => {
  const { bytes } = faultyFile(file, { corrupt: true })
  expect(bytes).toHaveLength(1_000)
  expect(differing(bytes)).toEqual(Array.from({ length: 125 }, (_, index) => 437 + index))
  expect(differing(file.bytes)).toEqual([])
})

test('a file of few bytes is corrupt in one', () => {
  const short = { ...file, bytes: Buffer.from([1, 2, 3]) }
  expect([...faultyFile(short, { corrupt: true }).bytes]).toEqual([1, 253, 3])
})

test('another type, and the other headers as they are', () =>
  expect(faultyFile(file, { contentType: 'text/html' }).headers).toEqual({
    'Content-Type': 'text/html',
    ETag: '"1"',
  }))
