import type { Rule } from '../../core/contract.js'
import { mustBe } from '../../core/request.js'
import { either, modelDifferences } from '../shared/model-rules.js'
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
import type { VideoTaskFacts } from './facts.js'
import type { Models, TaskInput } from './schema.js'

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

/** What B and C call the size of a video. */
type SizeField = 'resolution' | 'size'

/** Rule on sizes that B and C share: they name the field of the resolution differently. */
export const highResolutionHasItsModel = <
  Field extends SizeField,
  In extends { readonly model: string; readonly mediaRefs: readonly RequestMedium[] } & Readonly<
    Record<Field, string>
  >,
>(
  models: Models,
  field: Field,
  place: string,
): Rule<In, never> => ({
  id: 'high-resolution',
  says: `\`${field}\` is ${sizesInWords(models)}.`,
  place,
  check: (input) => {
    const size = input[field]
    const sizes = models.sizesOf(input.model)
    if (!sizes.includes(size)) return mustBe(field, `${either(sizes)} for ${input.model}`, size)
    const { sizesFromText = sizes } = models.of(input.model)
    if (input.mediaRefs.length > 0 || sizesFromText.includes(size)) return undefined
    return mustBe(field, `${either(sizesFromText)} for text-to-video`, size)
  },
})

const sizesInWords = (models: Models): string =>
  models.ids
    .map((id) => {
      const sizes = models.sizesOf(id)
      const { sizesFromText = sizes } = models.of(id)
      const fromText = sizes.filter((size) => sizesFromText.includes(size))
      const isLess = fromText.length < sizes.length
      return `${either(sizes)} for ${id}${isLess ? ` (from text alone ${either(fromText)})` : ''}`
    })
    .join(', ')

const anyForm: readonly MediaForm[] = ['asset', 'url', 'base64']

/** In the order in which they are checked; moderation and money come last, as they cost the service most. */
export const rulesOf = (
  models: Models,
  bounds: VideoTaskFacts['bounds'],
): readonly Rule<TaskInput, TaskError>[] => [
  accountHasAgreed('OperationDenied.AgreementNotAccepted'),
  textUnlessMedia,
  ...modeRules('docs/families/b-video-task.md#roles, docs/gaps.md#b9', bounds['role-counts']),
  highResolutionHasItsModel(
    models,
    'resolution',
    'docs/families/b-video-task.md#resolution, docs/gaps.md#b2',
  ),
  ...modelDifferences<TaskInput>(
    models,
    {
      seconds: { field: 'duration', of: ({ duration }) => duration },
      ratio: { field: 'ratio', of: ({ ratio }) => ratio },
      media: { field: 'content', of: ({ mediaRefs }) => mediaRefs },
    },
    'docs/families/b-video-task.md',
  ),
  mediaFormIsAllowed('docs/families/b-video-task.md#url, docs/gaps.md#b10', ({ settings }) =>
    settings.requireAssets ? ['asset'] : anyForm,
  ),
  mediaAreReadable(),
  mediaIsOfItsKind('docs/families/b-video-task.md#url'),
  promptPassesModeration('InputTextSensitiveContentDetected'),
  balanceIsPositive('AccountOverdueError'),
  tasksInFlightAreFew('SetLimitExceeded'),
]
