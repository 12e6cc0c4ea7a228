import type { ResultFault } from '../schema.js'
import type { Outgoing } from './answer.js'

/** How many bytes in the middle of a file are others when it is corrupt. */
const CORRUPT_BYTES = 64

/** A result file as a step has it. Ranges are not honoured: the whole of what is left of it is sent. */
export const faultyFile = (file: Outgoing, fault: ResultFault): Outgoing => {
  const { lengthOffBy, cutAt, corrupt, contentType } = fault
  const bytes = cutAt === undefined ? file.bytes : file.bytes.subarray(0, cutAt)
  return {
    ...file,
    headers: contentType === undefined ? file.headers : { ...file.headers, 'Content-Type': contentType },
    bytes: corrupt ? corrupted(bytes) : bytes,
    ...(lengthOffBy === undefined ? {} : { declaredBytes: Math.max(0, bytes.length + lengthOffBy) }),
  }
}

const corrupted = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes)
  const from = Math.max(0, Math.floor((bytes.length - CORRUPT_BYTES) / 2))
  for (let at = from; at < Math.min(from + CORRUPT_BYTES, bytes.length); at += 1)
    copy[at] = ~(copy[at] as number)
  return copy
}
