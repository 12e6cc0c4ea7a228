/** A unit of H.264 (ITU-T H.264, 7.3.1): a byte that says what it is, and the rest of it. */

/** The units of a byte stream (Annex B), without the codes between them. */
export const unitsOf = (stream: Buffer): Buffer[] => {
  const units: Buffer[] = []
  let at = stream.indexOf(START)
  while (at !== -1) {
    const next = stream.indexOf(START, at + START.length)
    const end = next === -1 ? stream.length : next
    // A start code may have a fourth zero before it, and a unit never ends in one.
    units.push(stream.subarray(at + START.length, stream[end - 1] === 0 ? end - 1 : end))
    at = next
  }
  return units
}

const START = Buffer.from([0, 0, 1])

export const typeOf = (unit: Buffer): number => (unit[0] ?? 0) & 0x1f

/** What a unit says, without its first byte. In a unit, two zero bytes are never followed by one of less than four: there is a 3 between. */
export const contentOf = (unit: Buffer): Buffer => {
  const parts: Buffer[] = []
  let from = 1
  for (let at = unit.indexOf(STUFFED); at !== -1; at = unit.indexOf(STUFFED, from)) {
    parts.push(unit.subarray(from, at + 2))
    from = at + STUFFED.length
  }
  return Buffer.concat([...parts, unit.subarray(from)])
}

const STUFFED = Buffer.from([0, 0, 3])

/** A unit of its first byte and what it says. */
export const unitOf = (first: number, content: Buffer): Buffer => {
  const parts: Buffer[] = [Buffer.from([first])]
  let from = 0
  for (let at = content.indexOf(ZEROS); at !== -1; at = content.indexOf(ZEROS, at)) {
    at += 2
    if ((content[at] ?? 0) > 3) continue
    parts.push(content.subarray(from, at), STUFFING)
    from = at
  }
  return Buffer.concat([...parts, content.subarray(from)])
}

const ZEROS = Buffer.from([0, 0])
const STUFFING = Buffer.from([3])
