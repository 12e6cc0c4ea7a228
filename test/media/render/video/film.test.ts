import { expect, test } from 'vitest'
import { filmOf } from '../../../../src/media/render/video/film.js'
import { samplesOf } from '../../../../src/media/render/video/samples.js'
import type { Slice } from '../../../../src/media/render/video/slices.js'

const SETS = { bitsOfNumber: 4, id: 0, hasDeblockingControl: true }

/** A slice of one block, which is written as its name and what it is in. */
const slice = (name: string, first: number): Slice => ({
  first,
  blocks: 1,
  inKey: (number) => Buffer.from(`${name} key ${number % 2}`),
  inChange: (number) => Buffer.from(`${name} change ${number}`),
})

const picture = (name: string, first: number, rows: number) =>
  Array.from({ length: rows }, (_, row) => slice(`${name}${first + row}`, first + row))

// Five rows: the time code is in the second, the street in the fourth.
const strips = {
  whole: {
    rows: { first: 0, count: 5 },
    pictures: [picture('card', 0, 5), picture('first', 0, 5), picture('last', 0, 5)],
  },
  seconds: {
    rows: { first: 1, count: 1 },
    pictures: [0, 1, 2].map((second) => picture(`second${second}-`, 1, 1)),
  },
  drawings: {
    rows: { first: 3, count: 1 },
    pictures: [0, 1, 2].map((drawing) => picture(`drawing${drawing}-`, 3, 1)),
  },
}

const none = { hasOpening: false, hasEnding: false }
const both = { hasOpening: true, hasEnding: true }
const length = { seconds: 3, framesPerSecond: 6 }

const seen = (edges: typeof none, second: number, frame: number): string[] =>
  filmOf(strips, length, edges)
    .pictureAt(second, frame)
    .map((each) => each.inKey(0).toString().split(' ')[0] ?? '')

test('the card has the time code of the second and the street of the drawing', () => {
  expect(seen(none, 0, 0)).toEqual(['card0', 'second0-1', 'card2', 'drawing0-3', 'card4'])
  expect(seen(none, 2, 5)).toEqual(['card0', 'second2-1', 'card2', 'drawing2-3', 'card4'])
})

test('the user’s first frame is seen alone, and then the card comes over it from the top', () => {
  expect(seen(both, 0, 0)).toEqual(['first0', 'first1', 'first2', 'first3', 'first4'])
  expect(seen(both, 0, 4)).toEqual(['card0', 'second0-1', 'card2', 'first3', 'first4'])
  expect(seen(both, 1, 0)).toEqual(['card0', 'second1-1', 'card2', 'drawing0-3', 'card4'])
})

test('the user’s last frame comes over the card, and is what the video ends with', () => {
  expect(seen(both, 2, 0)).toEqual(['card0', 'second2-1', 'card2', 'drawing0-3', 'card4'])
  expect(seen(both, 2, 2)).toEqual(['last0', 'last1', 'last2', 'drawing1-3', 'card4'])
  expect(seen(both, 2, 5)).toEqual(['last0', 'last1', 'last2', 'last3', 'last4'])
})

/** The units of samples, each after its length in four bytes; those that are no text are rows left as they were. */
const unitsIn = (sample: Buffer | undefined): string[] => {
  const units: string[] = []
  for (let at = 0; sample !== undefined && at < sample.length; ) {
    const end = at + 4 + sample.readUInt32BE(at)
    const unit = sample.subarray(at + 4, end)
    units.push(unit[0] === 0x61 ? 'unchanged' : unit.toString())
    at = end
  }
  return units
}

test('every second begins with all of its picture, and goes on with what changes', () => {
  const samples = samplesOf(filmOf(strips, length, none), SETS).map(unitsIn)
  expect(samples).toHaveLength(18)
  expect(samples[6]).toEqual(
    ['card0', 'second1-1', 'card2', 'drawing0-3', 'card4'].map((name) => `${name} key 1`),
  )
  expect(samples[7]).toEqual(['unchanged'])
  expect(samples[8]).toEqual(['unchanged', 'drawing1-3 change 2', 'unchanged'])
  expect(samples[10]).toEqual(['unchanged', 'drawing2-3 change 4', 'unchanged'])
  expect(samples.slice(13)).toEqual(samples.slice(7, 12))
})

test('where one picture comes over another, the rows that it has reached are written', () => {
  const samples = samplesOf(filmOf(strips, length, both), SETS).map(unitsIn)
  expect(samples[3]).toEqual(['unchanged'])
  expect(samples[4]).toEqual(['card0 change 4', 'second0-1 change 4', 'card2 change 4', 'unchanged'])
  expect(samples[14]).toEqual([
    ...['last0 change 2', 'last1 change 2', 'last2 change 2'],
    ...['drawing1-3 change 2', 'unchanged'],
  ])
})
