/** Types of NAL units (ITU-T H.264, table 7-1): slices of pictures, and what stands before a picture. */
const SLICES = [1, 5]
const BEFORE_PICTURE = [6, 7, 8, 9]

/**
 * The pictures of an H.264 stream in the byte stream format (ITU-T H.264, annex B), each with the parameter sets and messages before it.
 */
export const picturesOfStream = (stream: Buffer): Buffer[] => {
  const cuts: number[] = []
  let hasSlice = true
  for (let at = stream.indexOf(START_CODE); at >= 0; at = stream.indexOf(START_CODE, at + 3)) {
    const type = (stream[at + 3] ?? 0) & 31
    const isSlice = SLICES.includes(type)
    // A slice that begins with the first block of a picture: the number, 0, is written as a single bit, 1.
    const isFirstSlice = isSlice && ((stream[at + 4] ?? 0) & 0x80) !== 0
    if (hasSlice && (isFirstSlice || BEFORE_PICTURE.includes(type))) {
      cuts.push(at > 0 && stream[at - 1] === 0 ? at - 1 : at)
      hasSlice = false
    }
    hasSlice ||= isSlice
  }
  return cuts.map((from, index) => stream.subarray(from, cuts[index + 1] ?? stream.length))
}

const START_CODE = Buffer.from([0, 0, 1])
