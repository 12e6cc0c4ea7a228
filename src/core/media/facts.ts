/**
 * What is known of a piece of media that a user sent: read from its bytes, never from its label.
 * Rules of the families look at facts alone and never see a byte.
 */
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

export type MediaFacts = ImageFacts | VideoFacts | AudioFacts

/** Why bytes are not the media they should be. `unknown`: no format that we know; `damaged`: a known one that cannot be read. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: 'unknown' | 'damaged' | 'too-large-to-read'
  /** One sentence for an error message, without a full stop: "the PNG ends in the middle of its pixels". */
  readonly detail: string
}

export type Probe = MediaFacts | Unreadable
