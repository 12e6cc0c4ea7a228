import { hash } from 'node:crypto'
import type { MediaKind, Pixels } from './input.js'

/** Input of the user that is shown in the result. */
export interface MediaInput {
  readonly kind: MediaKind
  /** SHA-256 of the bytes, in hex: their name in the blob store. `null` where the bytes were never read (another host's URL). */
  readonly blob: string | null
  /** What to write on the tile: the role and the place it came from, such as `reference_image asset-2026…`. */
  readonly label: string
}

/** Text of a title card. Every line is optional except the prompt, which may be empty. */
export interface TitleCard {
  readonly prompt: string
  readonly model: string
  /** As the request spoke of it: `1024*1024`, `720p 16:9 5s`. */
  readonly size: string
  readonly seed: number
  /** The id of the task, or of the request where there is no task. */
  readonly id: string
  /** Number and count, from 1: `2/4`. Undefined: there is only one. */
  readonly index?: string
}

/** Media spec of a picture. */
export interface PictureSpec extends Pixels {
  readonly kind: 'picture'
  readonly seed: number
  readonly card: TitleCard
  readonly hasWatermark: boolean
  /** In the order of the request; shown as a composition beside the card. */
  readonly inputs: readonly MediaInput[]
}

/** Media spec of a video. */
export interface VideoSpec extends Pixels {
  readonly kind: 'video'
  /** A whole number: the services sell whole seconds. */
  readonly seconds: number
  readonly framesPerSecond: number
  readonly hasAudio: boolean
  readonly seed: number
  readonly card: TitleCard
  readonly hasWatermark: boolean
  readonly firstFrame?: MediaInput
  readonly lastFrame?: MediaInput
  readonly references: readonly MediaInput[]
}

/** The last picture of a video, as a PNG of the video's size. */
interface LastFrameSpec {
  readonly kind: 'last-frame'
  readonly of: VideoSpec
}

/**
 * Media spec: what a result shows, as small plain data. Bytes are a pure function of a spec and of the input media it names,
 * so a result is rendered when it is fetched, and losing a rendered file is harmless.
 */
export type MediaSpec = PictureSpec | VideoSpec | LastFrameSpec

/** MIME type of the file of a spec. */
export const contentTypeOf = (spec: MediaSpec): 'image/png' | 'video/mp4' =>
  spec.kind === 'video' ? 'video/mp4' : 'image/png'

/** Extension of the file of a spec, without a dot. */
export const extensionOf = (spec: MediaSpec): 'png' | 'mp4' => (spec.kind === 'video' ? 'mp4' : 'png')

/**
 * The name of a spec's bytes: SHA-256 in hex of its canonical form and the renderer's version.
 * The inputs are named by the hash of their bytes, so they are covered too.
 */
export const hashOf = (spec: MediaSpec, rendererVersion: number): string =>
  hash('sha256', `${rendererVersion}\n${canonical(spec)}`, 'hex')

// Keys in alphabetical order, so that two specs that mean the same have one name however they were put together.
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
