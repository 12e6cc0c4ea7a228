import { expect, test } from 'vitest'
import { builtIn } from '../../../src/emulator/families/index.js'
import { boundShownBy } from '../../../src/real-service/verify/bounds.js'
import type { Compared } from '../../../src/real-service/verify/compare.js'

/** A call that the emulator refuses by a rule, and the service takes. */
const refusedBy = (rule: string, found: unknown) =>
  ({ ours: { status: 400, refusedBy: [{ rule, place: '', error: '', found }] } }) as unknown as Compared

const always = async () => true

test.each([
  ['a number', 'e-video-reference.prompt-length', 801, { characters: 801 }],
  ['a number below a range', 'e-video-reference.schema.seed', -1, { min: -1 }],
  ['a number above a range', 'a-image.schema.parameters.n', 7, { max: 7 }],
  ['an area below a range', 'a-image.size-area', '100*100', { min: 10_000 }],
  ['an area above a range', 'a-image.size-area', '3000*3000', { max: 9_000_000 }],
  ['the ratio of two sides', 'f-video-v2.image-ratio', '1000x300', { max: 3.334 }],
  ['bytes, where the bound is in megabytes', 'f-video-v2.image-bytes', 33_554_432, { megabytes: 32 }],
  ['a number within words', 'a-image.at-most-three-images', '4 image items', { images: 4 }],
])('the bound that %s shows', async (_, rule, found, bound) => {
  const [[name, value]] = Object.entries(bound) as [[string, number]]
  // Of the ends of a range, one is in the way of a call.
  const isTaken = async (_: Compared, __: string, { at }: { readonly at: readonly string[] }) =>
    at.at(-1) === name
  expect(await boundShownBy(refusedBy(rule, found), builtIn, isTaken)).toEqual({
    at: ['rules', rule, name],
    value,
  })
})

test('of several numbers of a rule, the one with which the emulator takes the call', async () => {
  const compared = refusedBy('f-video-v2.role-counts', 10)
  const isTaken = async (_: Compared, __: string, { at }: { readonly at: readonly string[] }) =>
    at.at(-1) === 'reference_image'
  expect(await boundShownBy(compared, builtIn, isTaken)).toEqual({
    at: ['rules', 'f-video-v2.role-counts', 'reference_image'],
    value: 10,
  })
})

test.each([
  ['a rule without numbers', 'c-video.text-is-there', 3, always],
  ['a value that is within the bounds', 'e-video-reference.prompt-length', 800, always],
  ['a value that has no number', 'e-video-reference.prompt-length', 'long', always],
  ['a number with which the call is still refused', 'a-image.schema.parameters.n', 7, async () => false],
])('%s shows no bound', async (_, rule, found, isTaken) => {
  expect(await boundShownBy(refusedBy(rule, found), builtIn, isTaken)).toBeUndefined()
})
