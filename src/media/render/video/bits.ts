/** Reads a string of bits as H.264 has them: numbers of so many bits, and numbers in Exp-Golomb code. */
export interface BitReader {
  bits(count: number): number
  golomb(): number
  /** How many bits have been read. */
  at(): number
}

export const createBitReader = (bytes: Uint8Array): BitReader => {
  let at = 0
  const bit = (): number => {
    const value = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
    at += 1
    return value
  }
  const bits = (count: number): number => {
    let value = 0
    for (let index = 0; index < count; index++) value = value * 2 + bit()
    return value
  }
  const golomb = (): number => {
    let zeros = 0
    while (bit() === 0 && zeros < 32) zeros += 1
    return 2 ** zeros - 1 + bits(zeros)
  }
  return { bits, golomb, at: () => at }
}

/** A number as so many bits. */
export const bits = (count: number, value: number): string => value.toString(2).padStart(count, '0')

/** A number in Exp-Golomb code. */
export const golomb = (value: number): string => {
  const binary = (value + 1).toString(2)
  return binary.padStart(2 * binary.length - 1, '0')
}

/** Bits as bytes, filled up with zeros. */
const packed = (written: string): Buffer => {
  const whole = written.padEnd(8 * Math.ceil(written.length / 8), '0')
  return Buffer.from(whole.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

/** Bits as bytes, with the bit that ends them and zeros up to a whole byte. */
export const bytesOf = (written: string): Buffer => packed(`${written}1`)

/** Bits, and after them those of `rest` from a bit on: up to a whole byte, and without zero bytes at the end. */
export const followedBy = (written: string, rest: Uint8Array, from: number): Buffer => {
  const whole = written.length >> 3
  const left = written.length - whole * 8
  // What the last byte lacks is taken from the rest, so that the others are the rest's, moved by some bits.
  const taken = left === 0 ? 0 : 8 - left
  const reader = createBitReader(rest.subarray(from >> 3))
  reader.bits(from & 7)
  const head = packed(written + bits(taken, reader.bits(taken)).slice(0, taken))
  return withoutZeros(Buffer.concat([head, movedBy(rest, from + taken)]))
}

/** The bits of `bytes` from one on, as bytes. */
const movedBy = (bytes: Uint8Array, from: number): Buffer => {
  const first = from >> 3
  const shift = from & 7
  const moved = Buffer.allocUnsafe(Math.max(0, bytes.length - first))
  for (let index = 0; index < moved.length; index++) {
    const high = bytes[first + index] ?? 0
    const low = bytes[first + index + 1] ?? 0
    moved[index] = (high << shift) | (low >> (8 - shift))
  }
  return moved
}

const withoutZeros = (bytes: Buffer): Buffer => {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}
