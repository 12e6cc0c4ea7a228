import { createHash } from 'node:crypto'

export type MediaKind = 'image' | 'video' | 'audio'

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'bmp' | 'tiff' | 'gif' | 'heic' | 'heif' | 'avif'
export type VideoFormat = 'mp4' | 'mov'
type AudioFormat = 'wav' | 'mp3'
export type MediaFormat = ImageFormat | VideoFormat | AudioFormat

export interface ImageFacts {
  readonly kind: 'image'
  readonly format: ImageFormat
  readonly bytes: number
  /** Pixels as shown, that is after an EXIF or HEIF rotation. */
  readonly width: number
  readonly height: number
}

export interface VideoFacts {
  readonly kind: 'video'
  readonly format: VideoFormat
  readonly bytes: number
  /** Pixels as shown, that is after the track's rotation. */
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly framesPerSecond: number
  /** `h264`, `h265`, or the four letters of any other codec as the file writes them. */
  readonly videoCodec: string
  /** `aac`, `mp3`, or four letters. Default: there is no sound. */
  readonly audioCodec?: string
}

export interface AudioFacts {
  readonly kind: 'audio'
  readonly format: AudioFormat
  readonly bytes: number
  readonly seconds: number
}

/**
 * Facts of a medium that a user sent: read from its bytes, never from its label. Rules of the families look at facts alone
 * and never see a byte.
 */
export type MediaFacts = ImageFacts | VideoFacts | AudioFacts

/** Why bytes are not the media they should be. `unknown`: no format that we know; `damaged`: a known one that cannot be read. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: 'unknown' | 'damaged' | 'too-large-to-read'
  /** One sentence for an error message, without a full stop: "the PNG ends in the middle of its pixels". */
  readonly detail: string
}

export type Probe = MediaFacts | Unreadable

/** A place in a body that names a piece of media. */
export interface MediaRef {
  /** The path of the field: `input.messages[0].content[1].image`. */
  readonly field: string
  /** A URL, `data:…;base64,…` or `asset://…`. */
  readonly url: string
  /** What the field is for; what the bytes are is in the facts. */
  readonly wants: MediaKind
}

/** What was found behind a media reference. */
export type ResolvedMedia =
  | { readonly state: 'read'; readonly facts: MediaFacts; readonly blob: string; readonly origin: string }
  /** A URL on a host that is not read (gap Z1): no rule on facts can refuse it. */
  | { readonly state: 'unseen'; readonly origin: string }
  | { readonly state: 'refused'; readonly reason: UnusableReason; readonly detail: string }

/**
 * Why a piece of media cannot be used. `form`: neither URL nor Base64 nor asset; `unreachable`: nothing there;
 * `unreadable`: bytes that are no media; `too-large`; `asset`: unknown, not ready, failed or another account's.
 */
export type UnusableReason = 'form' | 'unreachable' | 'unreadable' | 'too-large' | 'asset'

/**
 * What stands in a large body in the place of a data URL whose Base64 was taken out when it was read
 * (service/large-body): `data:image/png;base64,@0:2000:`, and behind that how it began where that is not plain Base64.
 */
interface Attached {
  /** `data:image/png;base64,` */
  readonly head: string
  /** Its place among the attachments of the body. */
  readonly number: number
  /** How many characters stood behind the head. */
  readonly length: number
  /** As much of them as anybody is shown; empty where that is nothing but Base64 in one line or many. */
  readonly beginning: string
}

const FORM = /^(data:[^,]{0,200};base64,)@(\d+):(\d+):([\s\S]*)$/i

/**
 * What was attached in the place of a text; undefined for every other text. Only a body that has attachments has such
 * places: where a client writes one itself, no more than the length that it is shown with is made up.
 */
export const attachedIn = (text: string): Attached | undefined => {
  const [, head, number, length, beginning = ''] = FORM.exec(text) ?? []
  return head === undefined ? undefined : { head, number: Number(number), length: Number(length), beginning }
}

/** One of the user's inputs, to be shown in the result. */
export interface MediaInput {
  readonly kind: MediaKind
  /** SHA-256 of the bytes, in hex: their name in the blob store. `null` where the bytes were never read (another host's URL). */
  readonly blob: string | null
  /** What to write on the tile: the role and the place it came from, such as `reference_image asset-2026…`. */
  readonly label: string
}

/** What is written on a title card. Every line is optional except the prompt, which may be empty. */
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

export interface PictureSpec {
  readonly kind: 'picture'
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly card: TitleCard
  readonly hasWatermark: boolean
  /** In the order of the request; shown as a composition beside the card. */
  readonly inputs: readonly MediaInput[]
}

export interface VideoSpec {
  readonly kind: 'video'
  readonly width: number
  readonly height: number
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
  createHash('sha256')
    .update(`${rendererVersion}\n${canonical(spec)}`)
    .digest('hex')

// Keys in alphabetical order, so that two specs that mean the same have one name however they were put together.
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** The pixels of a picture. */
export interface Pixels {
  readonly width: number
  readonly height: number
}
