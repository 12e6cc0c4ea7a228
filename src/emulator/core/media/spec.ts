import { hash } from '../hash.js'
import type { MediaKind, Pixels } from './input.js'

/** Input of the user that is shown in the result. */
export interface MediaInput {
  readonly kind: MediaKind
  /** SHA-256 of the bytes, in hex: their name in the blob store. `null` where the bytes were never read (another host's URL). */
  readonly blob: string | null
  /** What to write on the tile: the role and the place it came from, such as `reference_image asset-2026…`. */
  readonly label: string
}

/** Text of a title card. A line that is empty or undefined is not drawn. A card without an id stands for several results. */
export interface TitleCard {
  readonly prompt: string
  readonly model: string
  /** As the request spoke of it: `1024*1024`, `720p 16:9 5s`. */
  readonly size: string
  readonly seed: number
  /** The id of the task, or of the request where there is no task. */
  readonly id: string
  /** Number and count, from 1: `2/4`. Undefined where there is only one. */
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

/** Poster of a video, as a PNG of its size: its first frame, without the video being made. */
interface PosterSpec {
  readonly kind: 'poster'
  readonly of: VideoSpec
}

/** A still of a video. */
export type FrameSpec = LastFrameSpec | PosterSpec

/**
 * Media spec: what a result shows, as small plain data. Bytes are a pure function of a spec and of the input media it names,
 * so a result is rendered when it is fetched, and losing a rendered file is harmless.
 */
export type MediaSpec = PictureSpec | VideoSpec | LastFrameSpec

/** Spec of any file that can be rendered: of a result, or about one. */
export type FileSpec = MediaSpec | PosterSpec

/** The video that a spec is about, or the picture that it is. */
export const videoIn = (spec: FileSpec): PictureSpec | VideoSpec => ('of' in spec ? spec.of : spec)

/** SHA-256 of the reference videos of which a file shows the first frame, once each; a video shows those of its card. */
export const shownVideosOf = (spec: FileSpec): readonly string[] => {
  const shown = videoIn(spec)
  const inputs = shown.kind === 'video' ? shown.references : []
  const blobs = inputs.flatMap(({ kind, blob }) => (kind === 'video' && blob !== null ? [blob] : []))
  return [...new Set(blobs)]
}

/** Spec of the picture that stands for a result: the first frame of a video; a picture itself. */
export const posterOf = (spec: FileSpec): FileSpec =>
  spec.kind === 'video' ? { kind: 'poster', of: spec } : spec

/**
 * Shape: what results have in common that are alike but for their text (setting media: plain), as a spec: pixels, seconds, frame
 * rate, sound, watermark, first and last frame.
 */
export const shapeOf = <Spec extends FileSpec>(spec: Spec): Spec => {
  if ('of' in spec) return { ...spec, of: shapeOf(spec.of) }
  const { width, height } = spec
  const card: TitleCard = { prompt: PLAIN_PROMPT, model: '', size: `${width}x${height}`, seed: 0, id: '' }
  return spec.kind === 'picture'
    ? { ...spec, card, seed: 0, inputs: [] }
    : { ...spec, card, seed: 0, references: [] }
}

// Says why the prompt is not there.
const PLAIN_PROMPT = 'media: plain'

/** MIME type of the file of a spec. */
export const contentTypeOf = (spec: FileSpec): 'image/png' | 'video/mp4' =>
  spec.kind === 'video' ? 'video/mp4' : 'image/png'

/** Extension of the file of a spec, without a dot. */
export const extensionOf = (spec: FileSpec): 'png' | 'mp4' => (spec.kind === 'video' ? 'mp4' : 'png')

/**
 * The name of bytes: SHA-256 in hex of the canonical form of what they follow from, such as a spec, a mark and a version.
 * The inputs of a spec are named by the hash of their bytes, so they are covered too.
 */
export const hashOf = (...causes: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(sorted(causes)), 'hex')

/** Copy with its keys in alphabetical order, so that two specs that mean the same have one name however they were put together. */
const sorted = (value: object): object => {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' && item !== null ? sorted(item) : item))
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value).sort()) {
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    copy[name] = typeof inner === 'object' && inner !== null ? sorted(inner) : inner
  }
  return copy
}
