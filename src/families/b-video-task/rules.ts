import type { Rule } from '../../core/contract.js'
import { mustBe } from '../../core/request.js'
import {
  accountHasAgreed,
  balanceIsPositive,
  type MediaForm,
  mediaAreReadable,
  mediaFormIsAllowed,
  mediaIsOfItsKind,
  modeRules,
  promptPassesModeration,
  tasksInFlightAreFew,
} from '../shared/rules.js'
import { modeOf, textsIn } from '../shared/schema.js'
import type { TaskError } from './errors.js'
import { mediaOf, mediaRefsOf, promptOf, type TaskInput } from './schema.js'

const textUnlessMedia: Rule<TaskInput, TaskError> = {
  id: 'text-unless-media',
  says: 'There is a text that is not empty, or there are media.',
  place: 'docs/families/b-video-task.md#content, docs/gaps.md#z5',
  check: (input) =>
    promptOf(input).text.trim() !== '' || mediaOf(input).length > 0
      ? undefined
      : {
          error: 'MissingParameter',
          field: promptOf(input).field,
          found: promptOf(input).text,
          allowed: 'a text item that is not empty, or media',
          message: `${promptOf(input).field} must hold a text that is not empty, or media`,
        },
}

const highResolutionHasItsModel: Rule<TaskInput, TaskError> = {
  id: 'high-resolution',
  says: '`resolution` is 1080p for the standard model alone, and not for text alone.',
  place: 'docs/families/b-video-task.md#resolution, docs/gaps.md#b2',
  check: (input) => {
    if (input.resolution !== '1080p') return undefined
    if (input.model !== 'videoa-2-0-260128')
      return mustBe('resolution', `480p or 720p for ${input.model}`, '1080p')
    return modeOf(mediaOf(input)) === 'text'
      ? mustBe('resolution', '480p or 720p for text-to-video', '1080p')
      : undefined
  },
}

const anyForm: readonly MediaForm[] = ['asset', 'url', 'base64']

/** In the order in which they are checked; moderation and money come last, as they cost the service most. */
export const rules: readonly Rule<TaskInput, TaskError>[] = [
  accountHasAgreed('OperationDenied.AgreementNotAccepted'),
  textUnlessMedia,
  ...modeRules(mediaOf, 'docs/families/b-video-task.md#roles, docs/gaps.md#b9'),
  highResolutionHasItsModel,
  mediaFormIsAllowed(mediaRefsOf, 'docs/families/b-video-task.md#url, docs/gaps.md#b10', ({ settings }) =>
    settings.requireAssets ? ['asset'] : anyForm,
  ),
  mediaAreReadable(mediaRefsOf),
  mediaIsOfItsKind(mediaRefsOf, 'docs/families/b-video-task.md#url'),
  promptPassesModeration('InputTextSensitiveContentDetected', (input) => textsIn(input.content)),
  balanceIsPositive('AccountOverdueError'),
  tasksInFlightAreFew('SetLimitExceeded'),
]
