import type { Gap, TaskFamily } from '../../core/contract.js'
import { RESULT_TTL_MS } from '../b-video-task/responses.js'
import { errorBody, notFound, refusals, type VideosError, wellKnownErrors } from '../c-video/errors.js'
import { created } from '../c-video/responses.js'
import { visibleUntilDeleted } from '../shared/responses.js'
import { api, read } from './responses.js'
import { rules } from './rules.js'
import {
  paramsOf,
  paramsSchema,
  type ReferenceInput,
  type ReferenceParams,
  schema,
  statuses,
  subjectImages,
} from './schema.js'
import { newId, priceOf, timelineOf } from './timeline.js'

/** Gaps of family E. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'E1', grade: 'seen', place: '`subject_reference` items', answer: '`type` is `character`, else 400; `image` an array of 1 or more URLs, `asset://` ids or Base64 (one string is read as an array of one); other keys ignored' },
  { id: 'E2', grade: 'seen', place: 'Required', answer: '`subject_reference` (1 or more); `prompt` may be missing, but not empty; over 800 characters: 400' },
  { id: 'E3', grade: 'spec', place: '`image` or `images` beside `subject_reference`', answer: '400 `invalid_request`' },
  { id: 'E4', grade: 'seen', place: '`seconds`', answer: '2 to 15, string or integer' },
  { id: 'E5', grade: 'seen', place: 'Defaults', answer: '`prompt_extend` false, `watermark` false' },
  { id: 'E6', grade: 'seen', place: 'Create status, progress', answer: '`pending`, 0. While running 10 to 95; ended 100' },
  { id: 'E7', grade: 'seen', place: 'Query', answer: 'as C3, without what E does not have' },
  { id: 'E8', grade: 'seen', place: 'Pixels', answer: '720P 1280x720, 1080P 1920x1080; 30 frames a second; never `expired`' },
]

/** Reference-to-video: videos of given characters, on the path of C (§E). Errors and places of the result are C's. */
export const referenceVideo: TaskFamily<ReferenceInput, ReferenceParams, VideosError> = {
  id: 'e-video-reference',
  section: 'E',
  title: 'Reference-to-video',
  gaps,
  api,
  bodySizeRef: 'docs/families/e-video-reference.md#body, docs/gaps.md#z24',
  mediaFields: ['image'],
  urlFields: ['url', 'video_url'],
  models: ['beta2.7-r2v'],
  states: statuses,
  routes: {
    create: { method: 'POST', path: '/v1/videos' },
    read: { method: 'GET', path: '/v1/videos/{task_id}' },
  },
  maxBodyBytes: (settings) => settings.videoBodyBytes,
  schema,
  rules,
  errors: refusals,
  wellKnownErrors,
  mediaRefs: subjectImages,
  paramsSchema,
  params: paramsOf,
  newId,
  timeline: timelineOf,
  price: priceOf,
  visibleUntil: visibleUntilDeleted,
  notFound,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, read, error: errorBody },
}
