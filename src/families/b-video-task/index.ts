import type { Gap, TaskFamily } from '../../core/contract.js'
import { visibleUntilDeleted } from '../shared/responses.js'
import { errorBody, errors, notFound, type TaskError, wellKnownErrors } from './errors.js'
import { api, cancelled, created, list, RESULT_TTL_MS, read } from './responses.js'
import { rules } from './rules.js'
import {
  mediaRefsOf,
  models,
  paramsOf,
  paramsSchema,
  schema,
  type TaskInput,
  type VideoParams,
} from './schema.js'
import { cancelOutcome, deadline, newId, priceOf, timelineOf } from './timeline.js'

/** Gaps of family B. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'B1', grade: 'seen', place: 'Create response', answer: '200 `{"id":"cgt-YYYYMMDDHHMMSS-xxxxx"}` (UTC of the emulator\'s clock; five of a-z0-9)' },
  { id: 'B2', grade: 'seen', place: 'Other create parameters', answer: '`resolution` 480p, 720p (default), 1080p (standard model only, not text-only), `seed` -1 to 4294967295, `return_last_frame` false, `execution_expires_after` 3600 to 259200 (172800), `callback_url`, `service_tier` default or flex, `safety_identifier` up to 64, `priority` 0 to 9, `camera_fixed`, `draft`; defaults `generate_audio` true, `watermark` false, `ratio` adaptive, `duration` 5, and 4 to 15 or -1. Echoed where the query object has them' },
  { id: 'B3', grade: 'seen', place: "Query object besides the specification's fields", answer: '`created_at`, `updated_at`, `error` (null unless failed), `service_tier`, `execution_expires_after`, `draft`, `priority`; `content.last_frame_url` when asked for. `content` and `usage` only once succeeded' },
  { id: 'B4', grade: 'seen', place: '`error` of a failed task', answer: '`{"code":"OutputVideoSensitiveContentDetected","message":"…"}` and its kind: `InternalServiceError`, `InputImageSensitiveContentDetected`, …; an expired task has `TaskExpired` (assumed)' },
  { id: 'B5', grade: 'seen', place: 'List', answer: '`{"items":[query object],"total":N}`, newest first, `page_num` from 1 (default 1), `page_size` 1 to 500 (default 10), `filter.status`, `filter.model`, `filter.task_ids` (repeatable), only the last 7 days; out of range: 400 `InvalidParameter`' },
  { id: 'B6', grade: 'seen', place: 'DELETE', answer: '200 `{}`. Queued: cancelled. Succeeded, failed, expired: the record is removed. Running: 409 `InvalidAction.RunningTaskDeletion`. Cancelled: 409 `InvalidAction.CancelledTaskDeletion` (assumed); it leaves by itself after 24 h' },
  { id: 'B7', grade: 'seen', place: "Unknown, another account's, older than 7 days, removed", answer: '404 `ResourceNotFound`' },
  { id: 'B8', grade: 'seen', place: 'Refusals', answer: '400 `MissingParameter`, `InvalidParameter` (names the path, e.g. `content[0].type`), `InputTextSensitiveContentDetected`; 404 `InvalidEndpointOrModel.NotFound` (unknown model); 429 `RateLimitExceeded.EndpointRPMExceeded`, `SetLimitExceeded`, `ServerOverloaded`; 500 `InternalServiceError`' },
  { id: 'B9', grade: 'seen', place: 'Combinations', answer: "As C's modes. Frame roles and reference roles do not mix; one first frame, one last frame; a last frame needs a first; an image without role is the first frame when it is the only image, otherwise 400; at most 9 images, 3 videos, 3 audios as references; audio alone is refused" },
  { id: 'B10', grade: 'seen', place: 'Media forms', answer: 'asset, URL and Base64 are all taken; setting `requireAssets` refuses the last two. Unknown or not yet ready `asset://` id: 400 `InvalidParameter`', settings: ['requireAssets'] },
  { id: 'B11', grade: 'seen', place: 'adaptive', answer: 'text only: 16:9; with frames: the listed ratio nearest to the first frame; with references: nearest to the first visual one whose size is known, else 16:9. The actual one is in `ratio`' },
  { id: 'B12', grade: 'seen', place: 'duration -1', answer: "a whole number 4 to 15, chosen by the task's seed, reported in `duration`" },
  { id: 'B13', grade: 'seen', place: 'Pixels (width x height)', answer: '480p: 16:9 864x496, 4:3 752x560, 1:1 640x640, 3:4 560x752, 9:16 496x864, 21:9 992x432. 720p: 1280x720, 1112x834, 960x960, 834x1112, 720x1280, 1470x630. 1080p: 1920x1080, 1664x1248, 1440x1440, 1248x1664, 1080x1920, 2206x946. 24 frames a second; H.264, and AAC when `generate_audio`' },
  { id: 'B14', grade: 'seen', place: 'usage', answer: '`completion_tokens` = floor(width * height * (24 * duration + 1) / 1024), `total_tokens` the same; reference videos add floor(width * height * 24 * input_seconds / 1024). (1280x720, 5 s: 108900. 864x496, 5 s: 50638.)' },
  { id: 'B15', grade: 'seen', place: 'seed -1', answer: "the seed used is 0 to 99999, drawn from the account's seeded generator" },
  { id: 'B16', grade: 'seen', place: 'Transitions', answer: 'queued, running, then succeeded, failed or expired; queued to cancelled. Expired when `execution_expires_after` seconds pass before the end' },
  { id: 'B17', grade: 'seen', place: 'Callback', answer: 'only when `callback_url` is sent: the query object is posted on each change, without a challenge; 5 s to answer, 3 retries', settings: ['callbackHosts', 'callbackTimeoutScale'] },
  { id: 'B18', grade: 'spec', place: 'Result URL', answer: '14 days' },
]

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
  wellKnownErrors,
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
  cancelOutcome,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, read, list, cancelled, error: errorBody },
}
