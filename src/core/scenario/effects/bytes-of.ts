import { z } from 'zod'
import type { OutgoingReply } from './answer.js'
import { effectsOn } from './effect.js'

/** Whole files of other formats: a picture of one pixel, and a page as gateways write it. */
const foreign = {
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64'),
  html: Buffer.from('<html><head><title>Please wait</title></head><body></body></html>\n', 'utf8'),
} as const

const effect = effectsOn<'result', OutgoingReply>('result')

const noOriginal = 'its bytes are those of another file'

/** Bytes of another format under the Content-Type of the result. */
export const bytesOf = effect({
  key: 'bytesOf',
  schema: z.enum(['gif', 'html']),
  description: 'a file of another format, under the Content-Type of the result',
  conflicts: {
    expired: 'an expired result has no bytes',
    missing: 'a missing result has no bytes',
    ...{ cutAt: noOriginal, corrupt: noOriginal, lengthOffBy: noOriginal },
  },
  apply: (reply, format) => ({ ...reply, bytes: foreign[format] }),
})
