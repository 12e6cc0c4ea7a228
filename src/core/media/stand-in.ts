import { z } from 'zod'
import type { AudioFormat, ImageFormat, Probe, VideoFormat } from './facts.js'

const bytes = z.int().min(0)
const side = z.int().min(0)
const text = z.string().min(1)

const imageFormats = [
  'jpeg',
  'png',
  'webp',
  'bmp',
  'tiff',
  'gif',
  'heic',
  'heif',
  'avif',
] as const satisfies ImageFormat[]
const videoFormats = ['mp4', 'mov'] as const satisfies VideoFormat[]
const audioFormats = ['wav', 'mp3'] as const satisfies AudioFormat[]

const imageFacts = z.strictObject({
  kind: z.literal('image'),
  format: z.enum(imageFormats),
  bytes,
  width: side,
  height: side,
})
const videoFacts = z.strictObject({
  kind: z.literal('video'),
  format: z.enum(videoFormats),
  bytes,
  width: side,
  height: side,
  seconds: z.number().min(0),
  framesPerSecond: z.number().min(0),
  videoCodec: text,
  audioCodec: text.exactOptional(),
})
const audioFacts = z.strictObject({
  kind: z.literal('audio'),
  format: z.enum(audioFormats),
  bytes,
  seconds: z.number().min(0),
})
const unreadable = z.strictObject({
  kind: z.literal('unreadable'),
  reason: z.enum(['unknown', 'damaged', 'too-large-to-read']),
  detail: z.string(),
})

/** What a prober says of some bytes, as data that comes from outside. */
export const probeSchema: z.ZodType<Probe> = z.discriminatedUnion('kind', [
  imageFacts,
  videoFacts,
  audioFacts,
  unreadable,
])

/** A medium without its bytes: their hash, how many they are, how they begin, and what a prober says of them. */
export const standInSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'a SHA-256 in hex' }),
  bytes,
  format: z.enum([...imageFormats, ...videoFormats, ...audioFormats]).exactOptional(),
  probe: probeSchema,
})
export type StandIn = z.output<typeof standInSchema>

const MAGIC = 'backlot stand-in 1\n'

/**
 * A few bytes that are taken for a medium that is not there any more, as in a recording: everything that looks at
 * bytes sees the facts and the hash of that medium, and nothing can be drawn from them.
 */
export const bytesOfStandIn = (standIn: StandIn): Uint8Array => Buffer.from(MAGIC + JSON.stringify(standIn))

/** What some bytes stand for; undefined for all others. */
export const readStandIn = (given: Uint8Array): StandIn | undefined => {
  if (given[0] !== MAGIC.charCodeAt(0) || given.length > MOST_BYTES) return undefined
  const written = Buffer.from(given).toString('utf8')
  return written.startsWith(MAGIC) ? parsed(written.slice(MAGIC.length)) : undefined
}

// Far more than any stand-in has; a video that begins with the same letter is not copied.
const MOST_BYTES = 4_096

const parsed = (json: string): StandIn | undefined => {
  try {
    return standInSchema.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}
