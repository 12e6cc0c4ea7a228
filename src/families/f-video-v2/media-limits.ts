import type { Rule } from '../../core/contract.js'
import type {
  AudioFacts,
  ImageFacts,
  MediaFacts,
  MediaFormat,
  Pixels,
  VideoFacts,
} from '../../core/media/media.js'
import { mustBe } from '../../core/request.js'
import { factsOf } from '../shared/rules.js'
import type { VideoError } from './errors.js'
import { mediaRefsOf, type VideoInput } from './schema.js'

const MIB = 2 ** 20

/** One cell of the table of media limits (§F media limits, gap Z7). */
interface Limit<F> {
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

const imageLimits: readonly Limit<ImageFacts>[] = [
  formatIs(formats.image, ['jpeg', 'png', 'webp', 'heic', 'heif']),
  atMostMegabytes(30),
  sides,
  ratio,
]

const videoLimits: readonly Limit<VideoFacts>[] = [
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

const audioLimits: readonly Limit<AudioFacts>[] = [
  formatIs(formats.audio, ['wav', 'mp3']),
  atMostMegabytes(15),
  seconds,
]

type VideoRule = Rule<VideoInput, VideoError>

const PLACE = 'docs/families/f-video-v2.md#media-limits, docs/gaps.md#z7'

const eachOf = <F extends MediaFacts>(
  kind: F['kind'],
  noun: string,
  limits: readonly Limit<F>[],
): VideoRule[] =>
  limits.map(({ id, is, found, holds }) =>
    factsOf<VideoInput, F, VideoError>(
      { id: `${kind}-${id}`, says: `${noun} is ${is}.`, place: PLACE },
      kind,
      mediaRefsOf,
      (facts, field) => (holds(facts) ? undefined : mustBe('bad_request_error', field, is, found(facts))),
    ),
  )

const MAX_SECONDS_IN_ALL = 15

const inAll = (kind: 'video' | 'audio'): VideoRule => ({
  id: `${kind}-seconds-in-all`,
  says: `The ${kind} references are together at most ${MAX_SECONDS_IN_ALL} seconds long.`,
  place: PLACE,
  check: (input, world) => {
    let total = 0
    for (const { field, url } of mediaRefsOf(input)) {
      const found = world.resolvedMedia(url)
      if (found?.state !== 'read' || found.facts.kind !== kind) continue
      total = wholeMilliseconds(total + found.facts.seconds)
      if (total > MAX_SECONDS_IN_ALL)
        return mustBe(
          'bad_request_error',
          field,
          `within ${MAX_SECONDS_IN_ALL} seconds of ${kind} in all`,
          total,
        )
    }
    return undefined
  },
})

// So that lengths which add up to 15 on paper do so here: 2.2 + 5.9 + 6.9 is 15.000000000000002 to a computer.
const wholeMilliseconds = (value: number): number => Math.round(value * 1_000) / 1_000

/** The table of media limits as rules. Its counts are among the rules on combinations, its body size at the door. */
export const mediaRules: readonly VideoRule[] = [
  ...eachOf('image', 'An image', imageLimits),
  ...eachOf('video', 'A video', videoLimits),
  inAll('video'),
  ...eachOf('audio', 'An audio', audioLimits),
  inAll('audio'),
]
