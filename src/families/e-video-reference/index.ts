import type { TaskFamily } from '../../core/task/family.js'
import { RESULT_LIFE_MS } from '../b-video-task/lifecycle.js'
import { notFound, problem, refusals, standing, type VideosError } from '../c-video/errors.js'
import { created } from '../c-video/render.js'
import { isRecentAndNotDeleted } from '../shared/retention.js'
import { lifecycle, newId, priceOf } from './lifecycle.js'
import { paramsOf, type ReferenceParams } from './order.js'
import { read } from './render.js'
import { rules } from './rules.js'
import { type ReferenceInput, schema, subjectImages } from './schema.js'
import { statuses } from './statuses.js'

/** Reference-to-video: videos of given characters, on the path of C (§E). Errors and places of the result are C's. */
export const referenceVideo: TaskFamily<ReferenceInput, ReferenceParams, VideosError> = {
  id: 'e-video-reference',
  section: 'E',
  title: 'Reference-to-video',
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
  standing,
  mediaRefs: subjectImages,
  order: paramsOf,
  newId,
  lifecycle,
  price: priceOf,
  isKept: isRecentAndNotDeleted,
  notFound,
  resultLifeMs: RESULT_LIFE_MS,
  render: { created, read, problem },
}
