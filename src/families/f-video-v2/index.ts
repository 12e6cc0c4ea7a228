import type { Gap, TaskFamily } from '../../core/contract.js'
import { visibleWhileRecent } from '../shared/responses.js'
import { errorBody, errors, failureOf, notFound, type VideoError, wellKnownErrors } from './errors.js'
import { api, cancelled, created, RESULT_TTL_MS, read } from './responses.js'
import { rules } from './rules.js'
import {
  mediaRefsOf,
  models,
  paramsOf,
  paramsSchema,
  schema,
  type VideoInput,
  type VideoParams,
} from './schema.js'
import { cancelOutcome, newId, priceOf, timelineOf } from './timeline.js'

/** Gaps of family F. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'F1', grade: 'seen', place: 'Create response', answer: '200 `{"output":{"task_id"},"task_id"}`: the specification\'s place, and mirrored at the top where clients look; the id is a string of 15 to 18 digits' },
  { id: 'F2', grade: 'seen', place: 'Query path', answer: '`GET /provC/v2/query/video_generation/{task_id}`' },
  { id: 'F3', grade: 'seen', place: 'Query body', answer: '`{"task":{…}}`, with the same keys mirrored at the top' },
  { id: 'F4', grade: 'seen', place: 'Before success', answer: 'no `content`; `usage` `{}`. Failed: `error:{"code":"1026","message":"…"}`, the code a string' },
  { id: 'F5', grade: 'seen', place: '`task_type`, `modality`', answer: '`generation`, `video`' },
  { id: 'F6', grade: 'seen', place: 'usage', answer: '`total_seconds` = `input_seconds` (reference videos) + `output_seconds`; `input_image_count` counts all images' },
  { id: 'F7', grade: 'seen', place: 'Callback field', answer: '`callback_url`' },
  { id: 'F8', grade: 'seen', place: 'Challenge', answer: 'POST JSON `{"challenge":"<32 characters>"}` right after create; create does not wait. Passed when the answer is 2xx within 3 s and its JSON has the same `challenge`, or its text body is exactly it', settings: ['callbackTimeoutScale'] },
  { id: 'F9', grade: 'assumed', place: 'Challenge failed', answer: 'the task runs all the same; no callbacks are sent; both are in the callback log' },
  { id: 'F10', grade: 'assumed', place: 'Deliveries', answer: 'POST, the query response as body, one for every change, in order per task; each has a delivery id header that stays the same over its retries; 5 s to answer, retries after 1, 2 and 4 s on anything but 2xx; no signature', settings: ['callbackTimeoutScale'] },
  { id: 'F11', grade: 'assumed', place: '`duration` "required, default 5" (contradiction)', answer: 'missing is 5; setting `strict` refuses', settings: ['strict'] },
  { id: 'F12', grade: 'spec', place: '`adaptive` by default with text only', answer: 'accepted; reported as 16:9' },
  { id: 'F13', grade: 'seen', place: 'Combinations', answer: 'last frame without first frame: 400; audio reference alone: 400; an image without role is the first frame; text up to 7000 characters' },
  { id: 'F14', grade: 'seen', place: 'Unknown task, older than 7 days', answer: '400 "invalid params, invalid task_id (2013)"' },
  { id: 'F15', grade: 'seen', place: 'Pixels', answer: '480P: 16:9 854x480, 4:3 640x480, 1:1 480x480, 21:9 1120x480. 768P: 1344x768, 1024x768, 768x768, 1792x768. 2K: 2560x1440, 2048x1536, 2048x2048, 2560x1080. Portrait: swapped. 24 frames a second, with audio' },
  { id: 'F16', grade: 'assumed', place: 'Body over 64 MB', answer: "413 in F's shape", settings: ['videoBodyBytes'] },
  { id: 'F17', grade: 'seen', place: 'Delete', answer: '`DELETE /provC/v2/video_generation/{task_id}` on a queued task: 200 `{"task_id","action":"cancelled","status":"cancelled"}`, so that `cancelled` can be reached; otherwise 400' },
]

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
  wellKnownErrors,
  mediaRefs: mediaRefsOf,
  paramsSchema,
  params: paramsOf,
  newId,
  timeline: timelineOf,
  price: priceOf,
  callback: { url: (input) => input.callback_url, handshake: true },
  visibleUntil: visibleWhileRecent,
  notFound,
  cancelOutcome,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, read, cancelled, error: errorBody },
}
