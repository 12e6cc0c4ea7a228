import type { Rule } from '../../core/contract.js'
import type {
  AudioFacts,
  ImageFacts,
  MediaFacts,
  MediaFormat,
  Pixels,
  VideoFacts,
} from '../../core/media/input.js'
import type { RefusalDetails } from '../../core/model/call.js'
import { charactersIn, expectedButFound, mustBe } from '../../core/request.js'
import {
  balanceIsPositive,
  type MediaForm,
  mediaAreReadable,
  mediaFormIsAllowed,
  mediaIsOfItsKind,
  modeRules,
  promptPassesModeration,
  ruleOnFacts,
  tasksInFlightAreFew,
} from '../shared/rules.js'
import { isReference, wholeMilliseconds } from '../shared/schema.js'
import type { VideoError } from './errors.js'
import { MAX_SECONDS, modelFeatures, secondsOf, type VideoInput } from './schema.js'

type VideoRule = Rule<VideoInput, VideoError>

const MAX_CHARACTERS = 7_000

const durationWords = (min: number): string => `an integer from ${min} to ${MAX_SECONDS}`

const durationIsGiven: VideoRule = {
  id: 'duration-is-given',
  says: '`duration` is given, where the setting strict is on.',
  place: 'docs/families/f-video-v2.md#duration, docs/gaps.md#f11',
  check: ({ model, duration }, { settings }) => {
    if (duration !== undefined || !settings.strict) return undefined
    const allowed = durationWords(modelFeatures[model].minSeconds)
    return { field: 'duration', found: undefined, allowed, message: `duration is required: ${allowed}` }
  },
}

const textIsThere: VideoRule = {
  id: 'text-is-there',
  says: 'The content holds a text item that is not empty.',
  place: 'docs/families/f-video-v2.md#content, docs/gaps.md#z5',
  check: ({ prompt: { field, text } }) => {
    if (text.trim() !== '') return undefined
    return field === 'content'
      ? expectedButFound(field, 'a list with a text item that is not empty', 'no text item')
      : mustBe(field, 'a text that is not empty', text)
  },
}

// The text is all text items, joined by line breaks (`readRequest`).
const textIsShortEnough: VideoRule = {
  id: 'text-length',
  says: `The text is at most ${MAX_CHARACTERS} characters long.`,
  place: 'docs/families/f-video-v2.md#content, docs/gaps.md#f13',
  check: ({ prompt, texts }) => {
    const all = charactersIn(prompt.text)
    if (all <= MAX_CHARACTERS) return undefined
    const counts = texts.map(({ field, text }) => ({ field, count: charactersIn(text) }))
    const long = counts.find(({ count }) => count > MAX_CHARACTERS)
    return long === undefined
      ? joinedTooLong(texts.length, all)
      : mustBe(long.field, `at most ${MAX_CHARACTERS} characters long`, long.count)
  },
}

// Then no single text is to blame.
const joinedTooLong = (count: number, characters: number): RefusalDetails => {
  const allowed = `at most ${MAX_CHARACTERS} characters of text in all`
  const message = `content must have ${allowed}, its ${count} text items joined by line breaks, found ${characters}`
  return { field: 'content', found: characters, allowed, message }
}

const modelTakesReferences: VideoRule = {
  id: 'model-takes-references',
  says: 'Reference images, videos and audios are for gamma-H3 alone.',
  place: 'docs/families/f-video-v2.md#model-differences',
  check: (input) => {
    if (modelFeatures[input.model].takesReferences) return undefined
    // Videos and audios are nothing but references, whatever role they name.
    const reference = input.mediaRefs.find(({ wants, role }) => wants !== 'image' || isReference(role))
    if (reference === undefined) return undefined
    const { wants: kind, item, role, roleField } = reference
    return kind === 'image'
      ? mustBe(roleField, `first_frame or last_frame for ${input.model}`, role)
      : mustBe(`${item}.type`, `text or image_url for ${input.model}`, `${kind}_url`)
  },
}

const modelHasResolution: VideoRule = {
  id: 'model-has-resolution',
  says: '`resolution` is 768P or 2K for gamma-H3, 480P or 768P for gamma-H3-Max.',
  place: 'docs/families/f-video-v2.md#model-differences',
  check: ({ model, resolution }) => {
    const { resolutions } = modelFeatures[model]
    if (resolutions.includes(resolution)) return undefined
    return mustBe('resolution', `${resolutions.join(' or ')} for ${model}`, resolution)
  },
}

const modelHasDuration: VideoRule = {
  id: 'model-has-duration',
  says: '`duration` is 4 to 15 for gamma-H3, 5 to 15 for gamma-H3-Max.',
  place: 'docs/families/f-video-v2.md#model-differences',
  check: (input) => {
    const { minSeconds } = modelFeatures[input.model]
    if (secondsOf(input) >= minSeconds) return undefined
    const allowed = `${durationWords(minSeconds)} for ${input.model}`
    return mustBe('duration', allowed, secondsOf(input))
  },
}

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

const isFrom = (min: number, value: number, max: number): boolean => value >= min && value <= max

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

const formats = {
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

const PLACE = 'docs/families/f-video-v2.md#media-limits, docs/gaps.md#z7'

const eachOf = <F extends MediaFacts>(
  kind: F['kind'],
  noun: string,
  limits: readonly Limit<F>[],
): VideoRule[] =>
  limits.map(({ id, is, found, holds }) =>
    ruleOnFacts<F>({ id: `${kind}-${id}`, says: `${noun} is ${is}.`, place: PLACE }, kind, (facts, field) =>
      holds(facts) ? undefined : mustBe(field, is, found(facts)),
    ),
  )

const MAX_SECONDS_IN_ALL = 15

const inAll = (kind: 'video' | 'audio'): VideoRule => ({
  id: `${kind}-seconds-in-all`,
  says: `The ${kind} references are together at most ${MAX_SECONDS_IN_ALL} seconds long.`,
  place: PLACE,
  check: ({ mediaRefs }, context) => {
    let total = 0
    for (const { field, url } of mediaRefs) {
      const medium = context.resolvedMedia(url)
      if (medium?.state !== 'read' || medium.facts.kind !== kind) continue
      total = wholeMilliseconds(total + medium.facts.seconds)
      if (total > MAX_SECONDS_IN_ALL)
        return mustBe(field, `within ${MAX_SECONDS_IN_ALL} seconds of ${kind} in all`, total)
    }
    return undefined
  },
})

/** The table of media limits as rules. Its counts are among the rules on combinations, its body size at the door. */
const mediaRules: readonly VideoRule[] = [
  ...eachOf('image', 'An image', imageLimits),
  ...eachOf('video', 'A video', videoLimits),
  inAll('video'),
  ...eachOf('audio', 'An audio', audioLimits),
  inAll('audio'),
]

const forms: readonly MediaForm[] = ['url', 'base64', 'asset']

/** In the order in which they are checked; moderation and money come last, as they cost the service most. */
export const rules: readonly VideoRule[] = [
  durationIsGiven,
  textIsThere,
  textIsShortEnough,
  // Before the combinations: those would ask for references beside others, and this model takes none.
  modelTakesReferences,
  ...modeRules(
    'docs/families/f-video-v2.md#roles, docs/gaps.md#f13, docs/gaps.md#z4, docs/gaps.md#z25, docs/gaps.md#n18',
  ),
  modelHasResolution,
  modelHasDuration,
  mediaFormIsAllowed('docs/families/f-video-v2.md#content, docs/gaps.md#z6', () => forms),
  mediaAreReadable(formats),
  mediaIsOfItsKind('docs/families/f-video-v2.md#content'),
  ...mediaRules,
  promptPassesModeration('unprocessable_entity_error'),
  balanceIsPositive('insufficient_balance_error'),
  tasksInFlightAreFew('rate_limit_error'),
]
