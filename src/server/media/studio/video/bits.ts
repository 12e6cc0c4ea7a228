/** Reads a string of bits as H.264 has them: numbers of so many bits, and numbers in Exp-Golomb code. */
export const createBitReader = (bytes: Uint8Array) => {
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
  return { bits, golomb }
}

/** A number as so many bits. */
export const bits = (count: number, value: number): string => value.toString(2).padStart(count, '0')

/** A number in Exp-Golomb code. */
export const golomb = (value: number): string => {
  const binary = (value + 1).toString(2)
  return binary.padStart(2 * binary.length - 1, '0')
}

/** Bits as bytes, with the bit that ends them and zeros up to a whole byte. */
export const bytesOf = (written: string): Buffer => {
  const ended = `${written}1`
  const whole = ended.padEnd(8 * Math.ceil(ended.length / 8), '0')
  return Buffer.from(whole.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}
