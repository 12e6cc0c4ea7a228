/** The bytes of an MP4: boxes in boxes, numbers with the highest byte first. */
export const u8 = (...values: number[]): Buffer => Buffer.from(values)

export const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value, index * 2)
  })
  return bytes
}

export const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value, index * 4)
  })
  return bytes
}

export const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

export const zeros = (count: number): Buffer => Buffer.alloc(count)

/** Length, four letters, content. */
export const box = (type: string, ...content: Buffer[]): Buffer => {
  const length = content.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([u32(length), ascii(type), ...content], length)
}

/** A box that begins with a version (0 here) and flags. */
export const fullBox = (type: string, flags: number, ...content: Buffer[]): Buffer =>
  box(type, u32(flags), ...content)
