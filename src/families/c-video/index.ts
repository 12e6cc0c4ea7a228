import type { TaskFamily } from '../../core/contract.js'
import { paramsSchema, type VideoParams } from '../b-video-task/params.js'
import { models } from '../b-video-task/schema.js'
import { deadline, newId, priceOf, RESULT_TTL_MS, timelineOf } from '../b-video-task/timeline.js'
import { visibleUntilDeleted } from '../shared/respond.js'
import { contentOperation } from './content.js'
import { errorBody, errors, notFound, type VideoError, wellKnownErrors } from './errors.js'
import { gaps } from './gaps.js'
import { created, read } from './respond.js'
import { api } from './responses.js'
import { mediaRefsOf, rules } from './rules.js'
import { paramsOf, schema, type VideoInput } from './schema.js'

const video: TaskFamily<VideoInput, VideoParams, VideoError> = {
  id: 'c-video',
  section: 'C',
  title: 'Unified video',
  gaps,
  api,
  bodySizeRef: 'docs/families/c-video.md#body, docs/gaps.md#z24',
  mediaFields: ['url'],
  urlFields: ['url', 'video_url', 'last_frame_url'],
  models,
  modelsBeside: ['beta2.7-r2v'],
  routes: {
    create: { method: 'POST', path: '/v1/videos' },
    read: { method: 'GET', path: '/v1/videos/{task_id}' },
  },
  reads: ['c-video', 'b-video-task'],
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
  visibleUntil: visibleUntilDeleted,
  notFound,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, read, error: errorBody },
}

/** The unified interface to the videos of B: create and query (§C). What this folder does not have is as in B. */
export const unifiedVideo: typeof video = { ...video, operations: [contentOperation(video)] }
