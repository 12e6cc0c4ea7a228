import type { Rule } from '../../core/contract.js'
import type { Refusal } from '../../core/errors.js'
import { charactersIn, mustBe, mustBeButHas } from '../../core/request.js'
import {
  balanceIsPositive,
  mediaAreReadable,
  mediaFormIsAllowed,
  mediaIsOfItsKind,
  modeRules,
  promptPassesModeration,
  tasksInFlightAreFew,
} from '../shared/rules.js'
import { isReference } from '../shared/schema.js'
import type { VideoError } from './errors.js'
import { formats, mediaRules } from './media-limits.js'
import {
  differences,
  MAX_SECONDS,
  mediaOf,
  mediaRefsOf,
  promptOf,
  rolesOfTexts,
  secondsOf,
  textsOf,
  type VideoInput,
} from './schema.js'

type VideoRule = Rule<VideoInput, VideoError>

const MAX_CHARACTERS = 7_000

const lengths = (least: number): string => `an integer from ${least} to ${MAX_SECONDS}`

const durationIsGiven: VideoRule = {
  id: 'duration-is-given',
  says: '`duration` is given, where the setting strict is on.',
  place: 'docs/families/f-video-v2.md#duration, docs/gaps.md#f11',
  check: ({ model, duration }, { settings }) =>
    duration !== undefined || !settings.strict
      ? undefined
      : {
          error: 'bad_request_error',
          field: 'duration',
          found: undefined,
          allowed: lengths(differences[model].minSeconds),
          message: `duration is required: ${lengths(differences[model].minSeconds)}`,
        },
}

const textIsThere: VideoRule = {
  id: 'text-is-there',
  says: 'The content holds a text item that is not empty.',
  place: 'docs/families/f-video-v2.md#content, docs/gaps.md#z5',
  check: (input) => {
    const { field, text } = promptOf(input)
    if (text.trim() !== '') return undefined
    const isMissing = field === 'content'
    return isMissing
      ? mustBeButHas('bad_request_error', field, 'a list with a text item that is not empty', 'no text item')
      : mustBe('bad_request_error', field, 'a text that is not empty', text)
  },
}

const textIsShortEnough: VideoRule = {
  id: 'text-length',
  says: `The text is at most ${MAX_CHARACTERS} characters long.`,
  place: 'docs/gaps.md#f13',
  check: (input) => {
    const all = charactersIn(promptOf(input).text)
    if (all <= MAX_CHARACTERS) return undefined
    const texts = textsOf(input).map(({ field, text }) => ({ field, count: charactersIn(text) }))
    const long = texts.find(({ count }) => count > MAX_CHARACTERS)
    return long === undefined
      ? joinedTooLong(texts.length, all)
      : mustBe('bad_request_error', long.field, `at most ${MAX_CHARACTERS} characters long`, long.count)
  },
}

// Then no single text is to blame.
const joinedTooLong = (count: number, characters: number): Refusal<VideoError> => ({
  error: 'bad_request_error',
  field: 'content',
  found: characters,
  allowed: `at most ${MAX_CHARACTERS} characters of text in all`,
  message: `content must have at most ${MAX_CHARACTERS} characters of text in all, its ${count} text items joined by line breaks, found ${characters}`,
})

const modelTakesReferences: VideoRule = {
  id: 'model-takes-references',
  says: 'Reference images, videos and audios are for gamma-H3 alone.',
  place: 'docs/families/f-video-v2.md#model-differences',
  check: (input) => {
    if (differences[input.model].takesReferences) return undefined
    // Videos and audios are nothing but references, whatever role they name.
    const reference = mediaOf(input).find(({ kind, role }) => kind !== 'image' || isReference(role))
    if (reference === undefined) return undefined
    const { kind, item, role, roleField } = reference
    return kind === 'image'
      ? mustBe('bad_request_error', roleField, `first_frame or last_frame for ${input.model}`, role)
      : mustBe('bad_request_error', `${item}.type`, `text or image_url for ${input.model}`, `${kind}_url`)
  },
}

const modelHasResolution: VideoRule = {
  id: 'model-has-resolution',
  says: '`resolution` is 768P or 2K for gamma-H3, 480P or 768P for gamma-H3-Max.',
  place: 'docs/families/f-video-v2.md#model-differences',
  check: ({ model, resolution }) => {
    const { resolutions } = differences[model]
    if (resolutions.includes(resolution)) return undefined
    return mustBe('bad_request_error', 'resolution', `${resolutions.join(' or ')} for ${model}`, resolution)
  },
}

const modelHasDuration: VideoRule = {
  id: 'model-has-duration',
  says: '`duration` is 4 to 15 for gamma-H3, 5 to 15 for gamma-H3-Max.',
  place: 'docs/families/f-video-v2.md#model-differences',
  check: (input) => {
    const { minSeconds } = differences[input.model]
    if (secondsOf(input) >= minSeconds) return undefined
    const allowed = `${lengths(minSeconds)} for ${input.model}`
    return mustBe('bad_request_error', 'duration', allowed, secondsOf(input))
  },
}

/** In the order in which they are checked; moderation and money come last, as they cost the service most. */
export const rules: readonly VideoRule[] = [
  durationIsGiven,
  textIsThere,
  textIsShortEnough,
  // Before the combinations: those would ask for references beside others, and this model takes none.
  modelTakesReferences,
  ...modeRules<VideoInput, VideoError>(
    'bad_request_error',
    mediaOf,
    'docs/families/f-video-v2.md#roles, docs/gaps.md#f13, docs/gaps.md#z4, docs/gaps.md#z25, docs/gaps.md#n18',
    rolesOfTexts,
  ),
  modelHasResolution,
  modelHasDuration,
  mediaFormIsAllowed(
    'bad_request_error',
    mediaRefsOf,
    'docs/families/f-video-v2.md#content, docs/gaps.md#z6',
    () => ['url', 'base64', 'asset'],
  ),
  mediaAreReadable('bad_request_error', mediaRefsOf, formats),
  mediaIsOfItsKind('bad_request_error', mediaRefsOf, 'docs/families/f-video-v2.md#content'),
  ...mediaRules,
  promptPassesModeration('unprocessable_entity_error', textsOf),
  balanceIsPositive('insufficient_balance_error'),
  tasksInFlightAreFew('rate_limit_error'),
]
