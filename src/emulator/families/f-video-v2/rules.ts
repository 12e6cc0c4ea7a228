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
import { either, modelDifferences, modelHasDuration, modelHasSize } from '../shared/model-rules.js'
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
import type { VideoV2Facts } from './facts.js'
import { type Models, secondsOf, type VideoInput } from './schema.js'

type VideoRule = Rule<VideoInput, VideoError>

type Bounds = VideoV2Facts['bounds']

const DIFFERENCES = 'docs/families/f-video-v2.md#model-differences'

const durationIsGiven = (models: Models): VideoRule => ({
  id: 'duration-is-given',
  says: '`duration` is given, where the setting strict is on.',
  place: 'docs/families/f-video-v2.md#duration, docs/gaps.md#f11',
  check: ({ model, duration }, { settings }) => {
    if (duration !== undefined || !settings.strict) return undefined
    const [min, max] = models.of(model).seconds
    const allowed = `an integer from ${min} to ${max}`
    return { field: 'duration', found: undefined, allowed, message: `duration is required: ${allowed}` }
  },
})

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
const textIsShortEnough = ({ characters: max }: Bounds['text-length']): VideoRule => ({
  id: 'text-length',
  says: `The text is at most ${max} characters long.`,
  place: 'docs/families/f-video-v2.md#content, docs/gaps.md#f13',
  check: ({ prompt, texts }) => {
    const all = charactersIn(prompt.text)
    if (all <= max) return undefined
    const counts = texts.map(({ field, text }) => ({ field, count: charactersIn(text) }))
    const long = counts.find(({ count }) => count > max)
    return long === undefined
      ? joinedTooLong(texts.length, all, max)
      : mustBe(long.field, `at most ${max} characters long`, long.count)
  },
})

// Then no single text is to blame.
const joinedTooLong = (count: number, characters: number, max: number): RefusalDetails => {
  const allowed = `at most ${max} characters of text in all`
  const message = `content must have ${allowed}, its ${count} text items joined by line breaks, found ${characters}`
  return { field: 'content', found: characters, allowed, message }
}

const modelTakesReferences = (models: Models): VideoRule => {
  const takesReferences = (id: string) => models.of(id).modes.includes('reference')
  return {
    id: 'model-takes-references',
    says: `Reference images, videos and audios are for ${either(models.ids.filter(takesReferences))} alone.`,
    place: DIFFERENCES,
    check: (input) => {
      if (takesReferences(input.model)) return undefined
      // Videos and audios are nothing but references, whatever role they name.
      const reference = input.mediaRefs.find(({ wants, role }) => wants !== 'image' || isReference(role))
      if (reference === undefined) return undefined
      const { wants: kind, item, role, roleField } = reference
      return kind === 'image'
        ? mustBe(roleField, `first_frame or last_frame for ${input.model}`, role)
        : mustBe(`${item}.type`, `text or image_url for ${input.model}`, `${kind}_url`)
    },
  }
}

/** Rules on that in which the models differ, beside the references that some take. */
const ofModels = (models: Models): VideoRule[] => [
  modelHasSize(
    models,
    'model-has-resolution',
    { field: 'resolution', of: ({ resolution }) => resolution },
    DIFFERENCES,
  ),
  modelHasDuration(models, { field: 'duration', of: secondsOf }, DIFFERENCES),
  ...modelDifferences<VideoInput>(
    models,
    {
      ratio: { field: 'ratio', of: ({ ratio }) => ratio },
      modes: ['text', 'first-frame', 'first-last-frame'],
      media: { field: 'content', of: ({ mediaRefs }) => mediaRefs },
    },
    DIFFERENCES,
  ),
]

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

const atMostMegabytes = ({ megabytes }: { readonly megabytes: number }): Limit<MediaFacts> => ({
  id: 'bytes',
  is: `at most ${megabytes} MB (${megabytes * MIB} bytes)`,
  found: ({ bytes }) => bytes,
  holds: ({ bytes }) => bytes <= megabytes * MIB,
})

interface Range {
  readonly min: number
  readonly max: number
}

const sides = ({ min, max }: Range): Limit<Pixels> => ({
  id: 'sides',
  is: `from ${min} to ${max} pixels wide and high`,
  found: ({ width, height }) => `${width}x${height}`,
  holds: ({ width, height }) => isFrom(min, width, max) && isFrom(min, height, max),
})

const ratio = ({ min, max }: Range): Limit<Pixels> => ({
  id: 'ratio',
  is: `of a width/height ratio from ${min} to ${max}`,
  found: ({ width, height }) => `${width}x${height}`,
  holds: ({ width, height }) => isFrom(min, width / height, max),
})

const seconds = ({ min, max }: Range): Limit<VideoFacts | AudioFacts> => ({
  id: 'seconds',
  is: `from ${min} to ${max} seconds long`,
  found: (facts) => facts.seconds,
  holds: (facts) => isFrom(min, facts.seconds, max),
})

const frameRate = ({ min, max }: Range): Limit<VideoFacts> => ({
  id: 'frame-rate',
  is: `from ${min} to ${max} frames a second`,
  found: ({ framesPerSecond }) => framesPerSecond,
  holds: ({ framesPerSecond }) => isFrom(min, framesPerSecond, max),
})

const formats = {
  image: 'JPG, JPEG, PNG, WEBP, HEIC or HEIF',
  video: 'MP4 or MOV',
  audio: 'WAV or MP3',
} as const

const imageLimits = (bounds: Bounds): readonly Limit<ImageFacts>[] => [
  formatIs(formats.image, ['jpeg', 'png', 'webp', 'heic', 'heif']),
  atMostMegabytes(bounds['image-bytes']),
  sides(bounds['image-sides']),
  ratio(bounds['image-ratio']),
]

const videoLimits = (bounds: Bounds): readonly Limit<VideoFacts>[] => [
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
  atMostMegabytes(bounds['video-bytes']),
  sides(bounds['video-sides']),
  ratio(bounds['video-ratio']),
  frameRate(bounds['video-frame-rate']),
  seconds(bounds['video-seconds']),
]

const audioLimits = (bounds: Bounds): readonly Limit<AudioFacts>[] => [
  formatIs(formats.audio, ['wav', 'mp3']),
  atMostMegabytes(bounds['audio-bytes']),
  seconds(bounds['audio-seconds']),
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

const inAll = (kind: 'video' | 'audio', { seconds: max }: { readonly seconds: number }): VideoRule => ({
  id: `${kind}-seconds-in-all`,
  says: `The ${kind} references are together at most ${max} seconds long.`,
  place: PLACE,
  check: ({ mediaRefs }, context) => {
    let total = 0
    for (const { field, url } of mediaRefs) {
      const medium = context.resolvedMedia(url)
      if (medium?.state !== 'read' || medium.facts.kind !== kind) continue
      total = wholeMilliseconds(total + medium.facts.seconds)
      if (total > max) return mustBe(field, `within ${max} seconds of ${kind} in all`, total)
    }
    return undefined
  },
})

/** The table of media limits as rules. Its counts are among the rules on combinations, its body size at the door. */
const mediaRules = (bounds: Bounds): readonly VideoRule[] => [
  ...eachOf('image', 'An image', imageLimits(bounds)),
  ...eachOf('video', 'A video', videoLimits(bounds)),
  inAll('video', bounds['video-seconds-in-all']),
  ...eachOf('audio', 'An audio', audioLimits(bounds)),
  inAll('audio', bounds['audio-seconds-in-all']),
]

// Clients of this interface send one alone to gamma-H3 (gap F13).
const lastFrameNeedsFirst = (rule: VideoRule, models: Models): VideoRule => {
  const isTaken = (id: string) => models.of(id).lastFrameAlone === true
  const others = models.ids.filter((id) => !isTaken(id))
  return {
    ...rule,
    says: `A last frame has a first frame beside it, for ${others.join(', ') || 'no model'}.`,
    check: (input, context) => (isTaken(input.model) ? undefined : rule.check(input, context)),
  }
}

/** The rules on media that may stand together. */
const combinations = (models: Models, bounds: Bounds): VideoRule[] =>
  modeRules(
    'docs/families/f-video-v2.md#roles, docs/gaps.md#f13, docs/gaps.md#z4, docs/gaps.md#z25, docs/gaps.md#n18',
    bounds['role-counts'],
  ).map((rule) => (rule.id === 'last-frame-needs-first' ? lastFrameNeedsFirst(rule, models) : rule))

const forms: readonly MediaForm[] = ['url', 'base64', 'asset']

/** In the order in which they are checked; moderation and money come last, as they cost the service most. */
export const rulesOf = (models: Models, bounds: Bounds): readonly VideoRule[] => [
  durationIsGiven(models),
  textIsThere,
  textIsShortEnough(bounds['text-length']),
  // Before the combinations: those would ask for references beside others, and this model takes none.
  modelTakesReferences(models),
  ...combinations(models, bounds),
  ...ofModels(models),
  mediaFormIsAllowed('docs/families/f-video-v2.md#content, docs/gaps.md#z6', () => forms),
  mediaAreReadable(formats),
  mediaIsOfItsKind('docs/families/f-video-v2.md#content'),
  ...mediaRules(bounds),
  promptPassesModeration('unprocessable_entity_error'),
  balanceIsPositive('insufficient_balance_error'),
  tasksInFlightAreFew('rate_limit_error'),
]
