import type { Rule } from '../../core/contract.js'
import { expectedButFound, mustBe } from '../../core/request.js'
import { highResolutionHasItsModel } from '../b-video-task/rules.js'
import type { Models } from '../b-video-task/schema.js'
import { modelDifferences } from '../shared/model-rules.js'
import {
  accountHasAgreed,
  balanceIsPositive,
  mediaAreReadable,
  mediaFormIsAllowed,
  mediaIsOfItsKind,
  modeRules,
  promptPassesModeration,
  tasksInFlightAreFew,
} from '../shared/rules.js'
import type { VideosError } from './errors.js'
import type { UnifiedVideoFacts } from './facts.js'
import type { VideoInput } from './schema.js'

type VideoRule = Rule<VideoInput, VideosError>

const textIsThere: VideoRule = {
  id: 'text-is-there',
  says: 'There is a text that is not empty, in every mode.',
  place: 'docs/families/c-video.md#media, docs/gaps.md#c10, docs/gaps.md#z5',
  check: ({ prompt: { field, text } }) => {
    if (text.trim() !== '') return undefined
    return field === 'media'
      ? expectedButFound(field, 'a list with a text item', 'no text item')
      : mustBe(field, 'a text that is not empty', text)
  },
}

/** In the order in which they are checked; moderation and money come last, as in B. */
export const rulesOf = (models: Models, bounds: UnifiedVideoFacts['bounds']): readonly VideoRule[] => [
  accountHasAgreed('access_denied'),
  textIsThere,
  ...modeRules('docs/families/c-video.md#modes, docs/gaps.md#c10', bounds['role-counts']),
  highResolutionHasItsModel(models, 'size', 'docs/families/c-video.md#size, docs/gaps.md#c9'),
  ...modelDifferences<VideoInput>(
    models,
    {
      seconds: { field: 'seconds', of: ({ seconds }) => seconds },
      ratio: { field: 'ratio', of: ({ ratio }) => ratio },
      media: { field: 'media', of: ({ mediaRefs }) => mediaRefs },
    },
    'docs/families/c-video.md',
  ),
  mediaFormIsAllowed(
    'docs/families/c-video.md#url, docs/gaps.md#z6, docs/gaps.md#b10',
    ({ settings }, field) =>
      settings.requireAssets || field.endsWith('.asset_id') ? ['asset'] : ['asset', 'url', 'base64'],
  ),
  mediaAreReadable(),
  mediaIsOfItsKind('docs/families/c-video.md#url'),
  promptPassesModeration('content_policy_violation'),
  balanceIsPositive('insufficient_user_quota'),
  tasksInFlightAreFew('rate_limit_exceeded'),
]
