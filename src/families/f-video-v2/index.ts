import type { TaskFamily } from '../../core/contract.js'
import { visibleWhileRecent } from '../shared/respond.js'
import { errorBody, errors, failureOf, notFound, type VideoError, wellKnownErrors } from './errors.js'
import { gaps } from './gaps.js'
import { paramsOf, paramsSchema, priceOf, type VideoParams } from './params.js'
import { cancelled, created, read } from './respond.js'
import { api } from './responses.js'
import { rules } from './rules.js'
import { mediaRefsOf, models, schema, type VideoInput } from './schema.js'
import { cancelOutcome, newId, RESULT_TTL_MS, timelineOf } from './timeline.js'

const VIDEO_GENERATION = '/provC/v2/video_generation'

/** Second-generation video: create, query, cancel, and callbacks (§F, §Callbacks). */
export const videoV2: TaskFamily<VideoInput, VideoParams, VideoError> = {
  id: 'f-video-v2',
  section: 'F',
  title: 'Second-generation video',
  gaps,
  api,
  bodySizeRef: 'docs/families/f-video-v2.md#body, docs/gaps.md#f16',
  mediaFields: ['url'],
  taskAt: 'task',
  idAt: 'output.task_id',
  failureCode: (error) => failureOf(error).code,
  models,
  routes: {
    create: { method: 'POST', path: VIDEO_GENERATION },
    read: { method: 'GET', path: '/provC/v2/query/video_generation/{task_id}' },
    cancel: { method: 'DELETE', path: `${VIDEO_GENERATION}/{task_id}` },
  },
  maxBodyBytes: (settings) => settings.videoBodyBytes,
  schema,
  rules,
  errors,
  wellKnownErrors: wellKnownErrors,
  mediaRefs: mediaRefsOf,
  paramsSchema,
  params: paramsOf,
  newId,
  timeline: timelineOf,
  price: priceOf,
  callback: { url: (input) => input.callback_url, handshake: true },
  visibleUntil: visibleWhileRecent,
  notFound,
  cancelOutcome: cancelOutcome,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, read, cancelled, error: errorBody },
}
