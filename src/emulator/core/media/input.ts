/** What a medium is: a picture, a video or a sound. */
export type MediaKind = 'image' | 'video' | 'audio'

export const imageFormats = ['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif', 'avif'] as const
export type ImageFormat = (typeof imageFormats)[number]
export type VideoFormat = 'mp4' | 'mov'
type AudioFormat = 'wav' | 'mp3'
export type MediaFormat = ImageFormat | VideoFormat | AudioFormat

/** The pixels of a picture. */
export interface Pixels {
  readonly width: number
  readonly height: number
}

/** Facts of a picture, read from its bytes. Its pixels are as shown, that is after an EXIF or HEIF rotation. */
export interface ImageFacts extends Pixels {
  readonly kind: 'image'
  readonly format: ImageFormat
  readonly bytes: number
}

/** Facts of a film, read from its bytes. Its pixels are as shown, that is square, and after its rotation. */
export interface VideoFacts extends Pixels {
  readonly kind: 'video'
  readonly format: VideoFormat
  readonly bytes: number
  readonly seconds: number
  readonly framesPerSecond: number
  /** `h264`, `h265`, or the four letters of any other codec as the file writes them. */
  readonly videoCodec: string
  /** `aac`, `mp3`, or four letters. Default: there is no sound. */
  readonly audioCodec?: string
  /** Where the file contradicts itself: a clause for the journal, since another reader may believe the other part. */
  readonly note?: string
}

/** Facts of a sound, read from its bytes. */
export interface AudioFacts {
  readonly kind: 'audio'
  readonly format: AudioFormat
  readonly bytes: number
  readonly seconds: number
}

/** Facts of a medium that a user sent, read from its bytes and never from its label: all that rules look at. */
export type MediaFacts = ImageFacts | VideoFacts | AudioFacts

/** Reason why bytes cannot be read as media. `unknown`: no format that we know; `damaged`: a known one that cannot be read. */
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

/** Result of resolving a media reference. */
export type ResolvedMedia =
  | { readonly state: 'read'; readonly facts: MediaFacts; readonly blob: string; readonly origin: string }
  /** A URL on a host that is not read (gap Z1): no rule on facts can refuse it. */
  | { readonly state: 'unseen'; readonly origin: string }
  | { readonly state: 'refused'; readonly reason: UnusableReason; readonly detail: string }

/**
 * Reason why a medium cannot be used. `form`: neither URL nor Base64 nor asset; `unreachable`: nothing there;
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
 * Attachment in the place of a text; undefined for every other text. Only a body that has attachments has such
 * places: where a client writes one itself, no more than the length that it is shown with is made up.
 */
export const attachedIn = (text: string): Attached | undefined => {
  const [, head, number, length, beginning = ''] = FORM.exec(text) ?? []
  return head === undefined ? undefined : { head, number: Number(number), length: Number(length), beginning }
}
