import type { TaskFamily } from '../../core/contract.js'
import { visibleUntilDeleted } from '../shared/respond.js'
import { errorBody, errors, notFound, type TaskError, wellKnownErrors } from './errors.js'
import { gaps } from './gaps.js'
import { paramsOf, paramsSchema, type VideoParams } from './params.js'
import { cancelled, created, list, read } from './respond.js'
import { api } from './responses.js'
import { mediaRefsOf, rules } from './rules.js'
import { models, schema, type TaskInput } from './schema.js'
import { cancelOutcome, deadline, newId, priceOf, RESULT_TTL_MS, timelineOf } from './timeline.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'

/** Video tasks: create, query, list, cancel and delete (§B). */
export const videoTask: TaskFamily<TaskInput, VideoParams, TaskError> = {
  id: 'b-video-task',
  section: 'B',
  title: 'Task-style video',
  gaps,
  api,
  mediaFields: ['url'],
  urlFields: ['video_url', 'last_frame_url'],
  models,
  routes: {
    create: { method: 'POST', path: TASKS },
    read: { method: 'GET', path: `${TASKS}/{id}` },
    list: { method: 'GET', path: TASKS },
    cancel: { method: 'DELETE', path: `${TASKS}/{id}` },
  },
  reads: ['b-video-task', 'c-video'],
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
  deadline,
  price: priceOf,
  callback: { url: (input) => input.callback_url, handshake: false },
  visibleUntil: visibleUntilDeleted,
  notFound,
  cancelOutcome: cancelOutcome,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, read, list, cancelled, error: errorBody },
}
