import type { TaskFamily } from '../../core/contract.js'
import { RESULT_TTL_MS } from '../b-video-task/timeline.js'
import { errorBody, notFound, refusals, type VideosError, wellKnownErrors } from '../c-video/errors.js'
import { created } from '../c-video/respond.js'
import { visibleUntilDeleted } from '../shared/respond.js'
import { gaps } from './gaps.js'
import { read } from './respond.js'
import { api } from './responses.js'
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
  wellKnownErrors: wellKnownErrors,
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
