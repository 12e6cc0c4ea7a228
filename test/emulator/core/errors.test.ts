import { expect, test } from 'vitest'
import { systemReason } from '../../../src/emulator/core/errors.js'
import { nearest } from '../../../src/emulator/core/suggest.js'

const names = ['timing', 'clock', 'seed', 'publicUrl']

test.each([
  ['timing', 'timing'],
  ['TIMING', 'timing'],
  ['timming', 'timing'],
  ['clok', 'clock'],
  ['publicurl', 'publicUrl'],
  ['sede', 'seed'],
  ['itmign', 'timing'],
])('%s was meant to be %s', (written, name) => expect(nearest(written, names)).toBe(name))

test.each(['weather', 'x'.repeat(20), ''])('%j is near to nothing', (written) =>
  expect(nearest(written, names)).toBeUndefined(),
)

test('among no names there is no nearest', () => expect(nearest('timing', [])).toBeUndefined())

test('the reason of an error without a message is its code', () => {
  const several = Object.assign(new AggregateError([new Error('::1'), new Error('127.0.0.1')]), {
    code: 'ECONNREFUSED',
  })
  expect(systemReason(several)).toBe('ECONNREFUSED')
})
