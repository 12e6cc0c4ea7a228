import { z } from 'zod'

const size = z.number()
const kind = z.enum(['image', 'video', 'audio'])

const input = z.object({ kind, blob: z.string().nullable(), label: z.string() })

const card = z.object({
  prompt: z.string(),
  model: z.string(),
  size: z.string(),
  seed: z.number(),
  id: z.string(),
  index: z.string().optional(),
})

const picture = z.object({
  kind: z.literal('picture'),
  width: size,
  height: size,
  seed: z.number(),
  card,
  hasWatermark: z.boolean(),
  inputs: z.array(input),
})

const video = z.object({
  kind: z.literal('video'),
  width: size,
  height: size,
  seconds: z.number(),
  framesPerSecond: z.number(),
  hasAudio: z.boolean(),
  seed: z.number(),
  card,
  hasWatermark: z.boolean(),
  firstFrame: input.optional(),
  lastFrame: input.optional(),
  references: z.array(input),
})

/** What a result shows, as it stands in a task's life. */
export const mediaSpecSchema = z.discriminatedUnion('kind', [
  video,
  picture,
  z.object({ kind: z.literal('last-frame'), of: video }),
])

/** What is known of an uploaded file. */
export const mediaFactsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    format: z.enum(['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif', 'avif']),
    bytes: size,
    width: z.number(),
    height: z.number(),
  }),
  z.object({
    kind: z.literal('video'),
    format: z.enum(['mp4', 'mov']),
    bytes: size,
    width: z.number(),
    height: z.number(),
    seconds: z.number(),
    framesPerSecond: z.number(),
    videoCodec: z.string(),
    audioCodec: z.string().optional(),
  }),
  z.object({
    kind: z.literal('audio'),
    format: z.enum(['wav', 'mp3']),
    bytes: size,
    seconds: z.number(),
  }),
])
