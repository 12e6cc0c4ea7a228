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
import type { RequestMedium } from '../shared/schema.js'
import type { TaskError } from './errors.js'
import type { TaskInput } from './schema.js'

const textUnlessMedia: Rule<TaskInput, TaskError> = {
  id: 'text-unless-media',
  says: 'There is a text that is not empty, or there are media.',
  place: 'docs/families/b-video-task.md#content, docs/gaps.md#z5',
  check: ({ prompt: { field, text }, mediaRefs }) => {
    if (text.trim() !== '' || mediaRefs.length > 0) return undefined
    const allowed = 'a text item that is not empty, or media'
    const message = `${field} must have a text that is not empty, or media beside it; found neither`
    return { error: 'MissingParameter', field, found: text, allowed, message }
  },
}

/** Rule that B and C share: they name the field of the resolution differently. */
export const highResolutionHasItsModel = <
  Field extends string,
  In extends { readonly model: string; readonly mediaRefs: readonly RequestMedium[] } & Readonly<
    Record<Field, string>
  >,
>(
  field: Field,
  place: string,
): Rule<In, never> => ({
  id: 'high-resolution',
  says: `\`${field}\` is 1080p for the standard model alone, and not for text alone.`,
  place,
  check: (input) => {
    if (input[field] !== '1080p') return undefined
    if (input.model !== 'videoa-2-0-260128') return mustBe(field, `480p or 720p for ${input.model}`, '1080p')
    return input.mediaRefs.length === 0 ? mustBe(field, '480p or 720p for text-to-video', '1080p') : undefined
  },
})

const anyForm: readonly MediaForm[] = ['asset', 'url', 'base64']

/** In the order in which they are checked; moderation and money come last, as they cost the service most. */
export const rules: readonly Rule<TaskInput, TaskError>[] = [
  accountHasAgreed('OperationDenied.AgreementNotAccepted'),
  textUnlessMedia,
  ...modeRules('docs/families/b-video-task.md#roles, docs/gaps.md#b9'),
  highResolutionHasItsModel('resolution', 'docs/families/b-video-task.md#resolution, docs/gaps.md#b2'),
  mediaFormIsAllowed('docs/families/b-video-task.md#url, docs/gaps.md#b10', ({ settings }) =>
    settings.requireAssets ? ['asset'] : anyForm,
  ),
  mediaAreReadable(),
  mediaIsOfItsKind('docs/families/b-video-task.md#url'),
  promptPassesModeration('InputTextSensitiveContentDetected'),
  balanceIsPositive('AccountOverdueError'),
  tasksInFlightAreFew('SetLimitExceeded'),
]
