import fc from 'fast-check'

/** What happens to a file: some bytes or fields of four bytes get other values, a piece goes or comes twice, the end is cut. */
export interface Damage {
  /** Places are shares of the file, from 0 to 1. */
  readonly bytes: readonly (readonly [place: number, value: number])[]
  readonly fields: readonly (readonly [place: number, value: number])[]
  readonly twice: readonly [place: number, bytes: number]
  readonly gone: readonly [place: number, bytes: number]
  readonly kept: number
}

// Left to itself, fast-check would hit the first bytes most of the time, and all that was left would be of no known format.
const share = fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1_000_000)

// What is in the headers, in front, decides the most.
const place = fc.oneof(
  share,
  share.map((value) => 0.002 + value * 0.06),
)

const extreme = fc.constantFrom(0, 1, 2, 7, 8, 0xff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff)

export const damages: fc.Arbitrary<Damage> = fc.record({
  bytes: fc.array(fc.tuple(place, fc.nat(255)), { maxLength: 8 }),
  fields: fc.array(fc.tuple(place, fc.oneof(extreme, fc.nat(0xffffffff))), { maxLength: 4 }),
  twice: fc.tuple(place, fc.constantFrom(0, 0, 0, 8, 24, 100, 4000)),
  gone: fc.tuple(place, fc.constantFrom(0, 0, 0, 1, 4, 8, 100)),
  kept: fc.oneof(fc.constant(1), fc.constant(1), share),
})

export const damaged = (file: Uint8Array, damage: Damage): Buffer => {
  const bytes = Buffer.from(file)
  const at = (share: number) => Math.floor(share * (bytes.length - 1))
  for (const [share, value] of damage.bytes) if (bytes.length > 0) bytes[at(share)] = value
  for (const [share, value] of damage.fields)
    if (bytes.length > 4) bytes.writeUInt32BE(value, Math.min(at(share), bytes.length - 4))
  const again = at(damage.twice[0])
  const doubled = Buffer.concat([bytes.subarray(0, again + damage.twice[1]), bytes.subarray(again)])
  const gap = Math.floor(damage.gone[0] * doubled.length)
  const left = Buffer.concat([doubled.subarray(0, gap), doubled.subarray(gap + damage.gone[1])])
  return left.subarray(0, Math.floor(left.length * damage.kept))
}
