import { otherwiseWritten } from '../ffmpeg.js'
import { bits, bytesOf, createBitReader, followedBy, golomb } from './bits.js'
import type { ParameterSets } from './parameter-sets.js'
import { contentOf, typeOf, unitOf } from './units.js'

/** Blocks of a picture in a row, which can be decoded without any others (ITU-T H.264, 7.3.3). */
export interface Slice {
  /** The number of its first block in the whole picture, and how many there are. */
  readonly first: number
  readonly blocks: number
  /** As a part of a key picture. Two key pictures in a row need different numbers, 0 or 1. */
  inKey(number: number): Buffer
  /** As a part of a picture in which other blocks are taken from the one before: so many pictures after the key. */
  inChange(number: number): Buffer
}

const KEY_UNIT = 5
/** The first byte of a unit that others refer to: a slice of a key picture, and of any other. */
const KEY_BYTE = 0x65
const CHANGE_BYTE = 0x61
const P = 0
const I = 2
// Those from 5 on say that all slices of the picture are of one type.
const TYPES = 5
const NO_DEBLOCKING = 1
// A number of three bits in Exp-Golomb code, so that both are of one length.
const keyId = (number: number): string => golomb(1 + (number % 2))

/** Where a slice goes, and the number of its first block in the picture that the encoder saw. */
export interface Place extends Pick<Slice, 'first' | 'blocks'> {
  readonly encodedAs: number
}

/**
 * A slice that the encoder wrote as a part of a key picture, put at another place in another picture.
 *
 * @throws EmulatorError where it is not what the encoder was told to write
 */
export const sliceOf = (unit: Buffer, sets: ParameterSets, { encodedAs, ...place }: Place): Slice => {
  const content = contentOf(unit)
  const rest = startOfRest(unit, content, sets, encodedAs)
  const written = (first: number, header: string) =>
    unitOf(first, followedBy(golomb(place.first) + golomb(I) + golomb(sets.id) + header, content, rest))
  const keys: Buffer[] = []
  const changes: Buffer[] = []
  return {
    ...place,
    inKey: (number) => {
      const key = bits(sets.bitsOfNumber, 0) + keyId(number) + ANY_MARKS
      keys[number % 2] ??= written(KEY_BYTE, key)
      return keys[number % 2] as Buffer
    },
    inChange: (number) => {
      changes[number] ??= written(CHANGE_BYTE, numberOf(number, sets) + NO_MARKS)
      return changes[number] as Buffer
    },
  }
}

const numberOf = (number: number, { bitsOfNumber }: ParameterSets): string =>
  bits(bitsOfNumber, number % 2 ** bitsOfNumber)

/** What is to be done with pictures that are kept: in a key picture two bits, and nothing special; in others one. */
const ANY_MARKS = '00'
const NO_MARKS = '0'

/** The bit at which that begins which is the same in every picture: the quantiser, the deblocking and the blocks. */
const startOfRest = (unit: Buffer, content: Buffer, sets: ParameterSets, first: number): number => {
  const read = createBitReader(content)
  const begins = read.golomb()
  const type = read.golomb() % TYPES
  const isOurs = begins === first && type === I && read.golomb() === sets.id && typeOf(unit) === KEY_UNIT
  if (!isOurs) throw otherwiseWritten()
  read.bits(sets.bitsOfNumber)
  read.golomb()
  read.bits(ANY_MARKS.length)
  return read.at()
}

/** Blocks that are what they were in the picture before: all of them are skipped, in some ten bytes. */
export const unchanged = (sets: ParameterSets, first: number, blocks: number, number: number): Buffer =>
  unitOf(
    CHANGE_BYTE,
    bytesOf(
      [
        ...[golomb(first), golomb(P), golomb(sets.id), numberOf(number, sets)],
        // One picture to refer to, taken as it comes.
        ...['1', golomb(0), '0', NO_MARKS],
        ...[golomb(SAME_QUANTISER), sets.hasDeblockingControl ? golomb(NO_DEBLOCKING) : '', golomb(blocks)],
      ].join(''),
    ),
  )

const SAME_QUANTISER = 0
