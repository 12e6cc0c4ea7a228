import type { Rule } from '../../core/contract.js'
import { charactersIn, mustBe } from '../../core/request.js'
import type { VideosError } from '../c-video/errors.js'
import { modelDifferences } from '../shared/model-rules.js'
import {
  accountHasAgreed,
  balanceIsPositive,
  mediaAreReadable,
  mediaFormIsAllowed,
  mediaIsOfItsKind,
  promptPassesModeration,
  tasksInFlightAreFew,
} from '../shared/rules.js'
import type { ReferenceFacts } from './facts.js'
import type { Models, ReferenceInput } from './schema.js'

type ReferenceRule = Rule<ReferenceInput, VideosError>

const subjectsStandAlone: ReferenceRule = {
  id: 'subjects-stand-alone',
  says: 'Neither `image` nor `images` stands beside `subject_reference`.',
  place: 'docs/families/e-video-reference.md#subject_reference, docs/gaps.md#e3',
  check: (input) => {
    const field = (['image', 'images'] as const).find((name) => input[name] !== undefined)
    return field && mustBe(field, 'left out beside subject_reference', input[field])
  },
}

const promptIsNotEmpty: ReferenceRule = {
  id: 'prompt-is-not-empty',
  says: '`prompt` is absent or not empty.',
  place: 'docs/gaps.md#e2',
  check: ({ prompt }) =>
    prompt === undefined || prompt.trim() !== ''
      ? undefined
      : mustBe('prompt', 'left out, or a text that is not empty', prompt),
}

const promptIsShort = ({ characters }: ReferenceFacts['bounds']['prompt-length']): ReferenceRule => ({
  id: 'prompt-length',
  says: `\`prompt\` has at most ${characters} characters.`,
  place: 'docs/families/e-video-reference.md#prompt, docs/gaps.md#e2',
  check: ({ prompt = '' }) => {
    const count = charactersIn(prompt)
    if (count <= characters) return undefined
    return mustBe('prompt', `at most ${characters} characters long`, count)
  },
})

/** In the order in which they are checked; moderation and money come last, as in B and C. */
export const rulesOf = (models: Models, bounds: ReferenceFacts['bounds']): readonly ReferenceRule[] => [
  accountHasAgreed('access_denied'),
  subjectsStandAlone,
  promptIsNotEmpty,
  promptIsShort(bounds['prompt-length']),
  ...modelDifferences<ReferenceInput>(
    models,
    {
      seconds: { field: 'seconds', of: ({ seconds }) => seconds },
      size: { field: 'size', of: ({ size }) => size },
    },
    'docs/families/e-video-reference.md',
  ),
  mediaFormIsAllowed('docs/families/e-video-reference.md#subject_reference, docs/gaps.md#e1', () => [
    'url',
    'asset',
    'base64',
  ]),
  mediaAreReadable(),
  mediaIsOfItsKind('docs/families/e-video-reference.md#subject_reference'),
  promptPassesModeration('content_policy_violation'),
  balanceIsPositive('insufficient_user_quota'),
  tasksInFlightAreFew('rate_limit_exceeded'),
]
