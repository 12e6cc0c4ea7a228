import type { AudioFacts, ImageFacts, MediaFacts, MediaFormat, VideoFacts } from '../../core/media/facts.js'
import type { Pixels } from '../../core/media/image-size.js'

const MIB = 2 ** 20

/** One cell of the table of media limits (§F media limits, gap Z7). */
export interface Limit<F> {
  readonly id: string
  /** What a medium is, in words that end "An image is …" and "… must be …". */
  readonly is: string
  /** What is shown to a reader whose medium is something else. */
  readonly found: (facts: F) => unknown
  readonly holds: (facts: F) => boolean
}

const isFrom = (least: number, value: number, most: number): boolean => value >= least && value <= most

// By content: what a file is called, and what its data URL says of it, are not looked at.
const formatIs = (is: string, formats: readonly MediaFormat[]): Limit<MediaFacts> => ({
  id: 'format',
  is,
  found: ({ format }) => format,
  holds: ({ format }) => formats.includes(format),
})

const atMostMegabytes = (megabytes: number): Limit<MediaFacts> => ({
  id: 'bytes',
  is: `at most ${megabytes} MB (${megabytes * MIB} bytes)`,
  found: ({ bytes }) => bytes,
  holds: ({ bytes }) => bytes <= megabytes * MIB,
})

const sides: Limit<Pixels> = {
  id: 'sides',
  is: 'from 256 to 5760 pixels wide and high',
  found: ({ width, height }) => `${width}x${height}`,
  holds: ({ width, height }) => isFrom(256, width, 5760) && isFrom(256, height, 5760),
}

const ratio: Limit<Pixels> = {
  id: 'ratio',
  is: 'of a width/height ratio from 0.4 to 2.5',
  found: ({ width, height }) => `${width}x${height}`,
  holds: ({ width, height }) => isFrom(0.4, width / height, 2.5),
}

const seconds: Limit<VideoFacts | AudioFacts> = {
  id: 'seconds',
  is: 'from 2 to 15 seconds long',
  found: (facts) => facts.seconds,
  holds: (facts) => isFrom(2, facts.seconds, 15),
}

/** The formats of the table, by the kind of medium. */
export const formats = {
  image: 'JPG, JPEG, PNG, WEBP, HEIC or HEIF',
  video: 'MP4 or MOV',
  audio: 'WAV or MP3',
} as const

export const imageLimits: readonly Limit<ImageFacts>[] = [
  formatIs(formats.image, ['jpeg', 'png', 'webp', 'heic', 'heif']),
  atMostMegabytes(30),
  sides,
  ratio,
]

export const videoLimits: readonly Limit<VideoFacts>[] = [
  formatIs(formats.video, ['mp4', 'mov']),
  {
    id: 'codec',
    is: 'in H.264/AVC or H.265/HEVC',
    found: ({ videoCodec }) => videoCodec,
    holds: ({ videoCodec }) => videoCodec === 'h264' || videoCodec === 'h265',
  },
  {
    id: 'sound',
    is: 'with sound in AAC or MP3, or without sound',
    found: ({ audioCodec }) => audioCodec,
    holds: ({ audioCodec }) => audioCodec === undefined || audioCodec === 'aac' || audioCodec === 'mp3',
  },
  atMostMegabytes(50),
  sides,
  ratio,
  {
    id: 'frame-rate',
    is: 'from 23.976 to 60 frames a second',
    found: ({ framesPerSecond }) => framesPerSecond,
    holds: ({ framesPerSecond }) => isFrom(23.976, framesPerSecond, 60),
  },
  seconds,
]

export const audioLimits: readonly Limit<AudioFacts>[] = [
  formatIs(formats.audio, ['wav', 'mp3']),
  atMostMegabytes(15),
  seconds,
]
