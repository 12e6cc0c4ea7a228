import { charactersIn } from '../../core/request/characters.js'
import { mustBe } from '../../core/request/must-be.js'
import type { Rule } from '../../core/task/rule.js'
import { balanceIsPositive, tasksInFlightAreFew } from '../shared/admission.js'
import { combinationRules } from '../shared/combinations.js'
import { mediaCanBeHad, mediaFormIsAllowed, mediaIsOfItsKind } from '../shared/media-rules.js'
import { promptPassesModeration } from '../shared/moderation.js'
import { castMedia, isReference } from '../shared/roles.js'
import { mediaOf, mentionsOf, promptOf, textsOf } from './content.js'
import type { VideoError } from './errors.js'
import { formats } from './media-limits.js'
import { mediaRules } from './media-rules.js'
import { differences, LEAST_SECONDS, MOST_SECONDS } from './models.js'
import { secondsOf, type VideoInput } from './schema.js'

type VideoRule = Rule<VideoInput, VideoError>

const MOST_CHARACTERS = 7_000

const lengths = (least: number): string => `an integer from ${least} to ${MOST_SECONDS}`

const durationIsGiven: VideoRule = {
  id: 'duration-is-given',
  says: '`duration` is given, where the setting strict is on.',
  place: '§F duration, defaults F11',
  check: ({ duration }, { settings }) =>
    duration !== undefined || !settings.strict
      ? undefined
      : {
          error: 'bad_request_error',
          field: 'duration',
          found: undefined,
          allowed: lengths(LEAST_SECONDS),
          message: `duration is required: ${lengths(LEAST_SECONDS)}`,
        },
}

const textIsThere: VideoRule = {
  id: 'text-is-there',
  says: 'The content holds a text item that is not empty.',
  place: '§F content rules 1, defaults Z5',
  check: (input) => {
    const { field, text } = promptOf(input)
    if (text.trim() !== '') return undefined
    const isMissing = field === 'content'
    return isMissing
      ? mustBe('bad_request_error', field, 'a list with a text item that is not empty', 'no text item')
      : mustBe('bad_request_error', field, 'a text that is not empty', text)
  },
}

const textIsShortEnough: VideoRule = {
  id: 'text-length',
  says: `The text is at most ${MOST_CHARACTERS} characters long.`,
  place: 'defaults F13',
  check: (input) => {
    const { field, text } = promptOf(input)
    const count = charactersIn(text)
    if (count <= MOST_CHARACTERS) return undefined
    return mustBe('bad_request_error', field, `at most ${MOST_CHARACTERS} characters long`, count)
  },
}

const modelTakesReferences: VideoRule = {
  id: 'model-takes-references',
  says: 'Reference images, videos and audios are for gamma-H3 alone.',
  place: '§F model differences',
  check: (input) => {
    const reference = castMedia(mediaOf(input)).find(({ role }) => isReference(role))
    if (reference === undefined || differences[input.model].takesReferences) return undefined
    const allowed = `first_frame or last_frame for ${input.model}`
    return mustBe('bad_request_error', reference.roleField, allowed, reference.role)
  },
}

const modelHasResolution: VideoRule = {
  id: 'model-has-resolution',
  says: '`resolution` is 768P or 2K for gamma-H3, 480P or 768P for gamma-H3-Max.',
  place: '§F model differences',
  check: ({ model, resolution }) => {
    const { resolutions } = differences[model]
    if (resolutions.includes(resolution)) return undefined
    return mustBe('bad_request_error', 'resolution', `${resolutions.join(' or ')} for ${model}`, resolution)
  },
}

const modelHasDuration: VideoRule = {
  id: 'model-has-duration',
  says: '`duration` is 4 to 15 for gamma-H3, 5 to 15 for gamma-H3-Max.',
  place: '§F model differences',
  check: (input) => {
    const { leastSeconds } = differences[input.model]
    if (secondsOf(input) >= leastSeconds) return undefined
    const allowed = `${lengths(leastSeconds)} for ${input.model}`
    return mustBe('bad_request_error', 'duration', allowed, secondsOf(input))
  },
}

/** In the order in which they are checked; moderation and money come last, as they cost the service most. */
export const rules: readonly VideoRule[] = [
  durationIsGiven,
  textIsThere,
  textIsShortEnough,
  ...combinationRules<VideoInput, VideoError>(
    'bad_request_error',
    mediaOf,
    '§F content rules 2 and 3, §F media limits, defaults F13, Z4, Z25',
  ),
  modelTakesReferences,
  modelHasResolution,
  modelHasDuration,
  mediaFormIsAllowed('bad_request_error', mentionsOf, '§F content, defaults Z6', () => [
    'url',
    'base64',
    'asset',
  ]),
  mediaCanBeHad(
    {
      asset: 'bad_request_error',
      unreachable: 'bad_request_error',
      unreadable: 'bad_request_error',
      'too-large': 'bad_request_error',
    },
    mentionsOf,
    formats,
  ),
  mediaIsOfItsKind('bad_request_error', mentionsOf, '§F content'),
  ...mediaRules,
  promptPassesModeration('unprocessable_entity_error', textsOf),
  balanceIsPositive('insufficient_balance_error'),
  tasksInFlightAreFew('rate_limit_error'),
]
