import { boxesIn, Span } from './readers/span.js'

const ONE = 0x10000
// The last number of the matrix has another point (ISO/IEC 14496-12 §8.3.2.3).
const W = 0x40000000

/** Matrices of track headers by what they turn a picture of so many pixels by, clockwise. */
const matrices = {
  90: (_: number, height: number) => [0, ONE, 0, -ONE, 0, 0, height * ONE, 0, W],
  180: (width: number, height: number) => [-ONE, 0, 0, 0, -ONE, 0, width * ONE, height * ONE, W],
  270: (width: number, _: number) => [0, -ONE, 0, ONE, 0, 0, 0, width * ONE, W],
} as const

/** A copy of an MP4 whose picture players turn clockwise by so many degrees. Its frames are the same. */
export const turned = (file: Buffer, degrees: keyof typeof matrices): Buffer => {
  const copy = Buffer.from(file)
  for (const moov of boxesOf(new Span(copy, 'MP4'), 'moov'))
    for (const trak of boxesOf(moov, 'trak'))
      for (const tkhd of boxesOf(trak, 'tkhd')) {
        const at = tkhd.u8(0) === 1 ? 52 : 40
        const [width, height] = [tkhd.u32be(at + 36) / ONE, tkhd.u32be(at + 40) / ONE]
        // A track of sound has no size.
        if (width === 0) continue
        const view = new DataView(tkhd.bytes.buffer, tkhd.bytes.byteOffset, tkhd.bytes.byteLength)
        for (const [index, value] of matrices[degrees](width, height).entries())
          view.setInt32(at + 4 * index, value)
      }
  return copy
}

const boxesOf = (span: Span, wanted: string): Span[] =>
  [...boxesIn(span)].flatMap(({ type, content }) => (type === wanted ? [content] : []))
