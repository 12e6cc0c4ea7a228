import type { Gap, TaskFamily } from '../../core/contract.js'
import { RESULT_TTL_MS } from '../b-video-task/responses.js'
import { models, paramsSchema, type VideoParams } from '../b-video-task/schema.js'
import { deadline, newId, priceOf, timelineOf } from '../b-video-task/timeline.js'
import { visibleUntilDeleted } from '../shared/responses.js'
import { contentOperation } from './content.js'
import { errorBody, errors, notFound, type VideoError, wellKnownErrors } from './errors.js'
import { api, created, read } from './responses.js'
import { rules } from './rules.js'
import { mediaRefsOf, paramsOf, schema, type VideoInput } from './schema.js'

/** Gaps of family C, and of E on the same path. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'C1', grade: 'seen', place: 'Create response', answer: '200 `{"id","task_id","object":"video","model","status":"queued","progress":0,"created_at"}`, id = task_id' },
  { id: 'C2', grade: 'assumed', place: 'Ids', answer: '`cgt-…` as in B, one store: a task of C is visible on B and the reverse (both are the same models)' },
  { id: 'C3', grade: 'seen', place: 'Query', answer: "B's object plus `task_id`, `object`, `progress`, `completed_at`, and once succeeded `url`, `video_url`, `metadata.url` beside `content.video_url`" },
  { id: 'C4', grade: 'seen', place: 'Status words', answer: 'the specification\'s; setting `videoStatusWords: "openai-style"` turns them into queued, in_progress, completed, failed', settings: ['videoStatusWords'] },
  { id: 'C5', grade: 'seen', place: 'Unknown task, older than 7 days', answer: '404 `task_not_exist`' },
  { id: 'C6', grade: 'seen', place: 'Refusals', answer: '400 `invalid_request`; an unknown model: 400 `unsupported_model`' },
  { id: 'C7', grade: 'assumed', place: '`url` or `asset_id` (the specification names both)', answer: 'either; `url` wins; a bare id in `asset_id` is read as `asset://id`' },
  { id: 'C8', grade: 'seen', place: '`seconds`', answer: 'string, or an integer in its place; anything else 400' },
  { id: 'C9', grade: 'assumed', place: '1080p', answer: 'refused for the fast model and for text-only; 480p and 720p for all ("text-to-video is 720p" is read as an upper bound)' },
  { id: 'C10', grade: 'seen', place: 'Combinations', answer: 'as B9; a `text` item is required' },
  { id: 'C11', grade: 'seen', place: 'Listing, deleting', answer: "404 as X7. `GET /v1/videos/{id}/content` exists: the video's bytes once succeeded, 400 before" },
  { id: 'C12', grade: 'assumed', place: 'multipart create', answer: '415, naming JSON' },
]

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
  wellKnownErrors,
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
