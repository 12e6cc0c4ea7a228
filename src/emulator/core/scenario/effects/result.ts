import { z } from 'zod'
import { unsendable, withHeaders } from './answer.js'
import { defineEffects } from './effect.js'

// Less can stay unnoticed by a decoder that plays a whole video: it hides damage between two key frames.
const CORRUPT_SHARE = 1 / 8

const corrupted = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes)
  const length = Math.ceil(bytes.length * CORRUPT_SHARE)
  const from = Math.floor((bytes.length - length) / 2)
  for (let at = from; at < from + length; at += 1) copy[at] = ~(copy[at] as number)
  return copy
}

const withoutBytes = (why: string) => ({ lengthOffBy: why, cutAt: why, corrupt: why, contentType: why })

/** Whole files of other formats: a picture of one pixel, and a page as gateways write it. */
const filesOfOtherFormats = {
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64'),
  html: Buffer.from('<html><head><title>Please wait</title></head><body></body></html>\n', 'utf8'),
} as const

const NOT_ORIGINAL = 'its bytes are those of another file'

/** Effects on the file of a result, in the order in which they apply. Such a file is sent whole, without ranges. */
export const resultEffects = defineEffects('result', {
  expired: {
    schema: z.literal(true),
    description: '403, as if its time were over',
    conflicts: {
      ...withoutBytes('an expired result has no bytes'),
      missing: 'an expired result has no bytes',
    },
  },
  missing: {
    schema: z.literal(true),
    description: '404',
    conflicts: withoutBytes('a missing result has no bytes'),
  },
  contentType: {
    schema: z.string().min(1),
    description: 'the header Content-Type',
    problems: (type) => [unsendable('contentType', type)],
    apply: (reply, type) => withHeaders(reply, { 'Content-Type': type }),
  },
  cutAt: {
    schema: z.int().min(0),
    description: 'only so many bytes, as if they were all',
    breaks: 'file',
    conflicts: { lengthOffBy: 'what is cut says its own length' },
    apply: (reply, length) => ({ ...reply, bytes: reply.bytes.subarray(0, length) }),
  },
  corrupt: {
    schema: z.literal(true),
    description: 'an eighth of the bytes, in the middle, are others',
    breaks: 'file',
    apply: (reply) => ({ ...reply, bytes: corrupted(reply.bytes) }),
  },
  lengthOffBy: {
    schema: z.int().refine((bytes) => bytes !== 0, { error: 'not 0' }),
    description: 'Content-Length says so many bytes more, or fewer',
    breaks: 'file',
    apply: (reply, bytes) => ({ ...reply, declaredBytes: Math.max(0, reply.bytes.length + bytes) }),
  },
  bytesOf: {
    schema: z.enum(['gif', 'html']),
    description: 'a file of another format, under the Content-Type of the result',
    breaks: 'file',
    conflicts: {
      expired: 'an expired result has no bytes',
      missing: 'a missing result has no bytes',
      cutAt: NOT_ORIGINAL,
      corrupt: NOT_ORIGINAL,
      lengthOffBy: NOT_ORIGINAL,
    },
    apply: (reply, format) => ({ ...reply, bytes: filesOfOtherFormats[format] }),
  },
  whole: {
    schema: z.literal(true),
    description: 'the whole file, whatever Range asks for',
    conflicts: { expired: 'an expired result has no bytes', missing: 'a missing result has no bytes' },
  },
})
