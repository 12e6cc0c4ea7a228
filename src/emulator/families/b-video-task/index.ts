import type { Gap, TaskFamily } from '../../core/contract.js'
import { VideoModels } from '../shared/models.js'
import { visibleUntilDeleted } from '../shared/responses.js'
import { errorBody, errors, notFound, type TaskError, wellKnownErrors } from './errors.js'
import { facts, type VideoTaskFacts } from './facts.js'
import { probes } from './probes.js'
import { apiOf, cancelled, created, list, RESULT_TTL_MS, readOf } from './responses.js'
import { rulesOf } from './rules.js'
import {
  type Models,
  paramsOf,
  paramsSchemaOf,
  readRequest,
  schemaOf,
  type TaskBody,
  type TaskInput,
  type VideoParams,
} from './schema.js'
import { cancelOutcome, deadline, newId, priceOf, timelineOf } from './timeline.js'

// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'B1', grade: 'seen', place: 'Create response', answer: '200 `{"id":"cgt-YYYYMMDDHHMMSS-xxxxx"}`: the instant of the account\'s clock in UTC, then five of a-z and 0-9' },
  { id: 'B2', grade: 'seen', place: 'Other create parameters', answer: '`resolution`: 480p, 720p (default), or 1080p for the standard model with media. `ratio`: default adaptive. `duration`: 4 to 15 or -1, default 5. `seed`: -1 to 4294967295. `execution_expires_after`: 3600 to 259200 seconds, default 172800. `priority`: 0 to 9. `service_tier`: default or flex. `safety_identifier`: at most 64 characters. `generate_audio` is true unless set, `watermark` and `return_last_frame` are false. Also `camera_fixed`, `draft`, `callback_url`. A query repeats those that it has a field for' },
  { id: 'B3', grade: 'seen', place: 'Further fields of the query object', answer: 'Always `created_at`, `updated_at`, `service_tier`, `priority`, `draft`, `execution_expires_after`, and `error`, null for a task that has not failed. After success `usage` and `content`, with its `last_frame_url` where one was requested' },
  { id: 'B4', grade: 'seen', place: '`error` of a failed task', answer: 'A code and a message: `OutputVideoSensitiveContentDetected`, `InputImageSensitiveContentDetected`, `InternalServiceError` and others of this form. An expired task has `TaskExpired` (assumed)' },
  { id: 'B5', grade: 'seen', place: 'List', answer: '`{"items":[…],"total":N}`: query objects of the last 7 days, newest first. `page_num` is 1 or more, default 1; `page_size` is 1 to 500, default 10; outside of that 400 `InvalidParameter`. Filters: `filter.status`, `filter.model`, `filter.service_tier`, `filter.task_ids` (may be repeated, or hold several with commas between them), and `id`, one task, as some clients poll: it counts as a query of that task' },
  { id: 'B6', grade: 'seen', place: 'DELETE', answer: 'Cancels a queued task, and removes one that succeeded, failed or expired: 200 `{}`. A running one is 409 `InvalidAction.RunningTaskDeletion`, a cancelled one 409 `InvalidAction.CancelledTaskDeletion` (assumed); that disappears 24 hours after it was cancelled' },
  { id: 'B7', grade: 'seen', place: 'Unknown or removed tasks, those older than 7 days, those of other accounts', answer: '404 `ResourceNotFound`' },
  { id: 'B8', grade: 'seen', place: 'Refusals', answer: '400 `InvalidParameter` and `MissingParameter` say which path is meant, such as `content[0].type`. Further 400 `InputTextSensitiveContentDetected`; 404 `InvalidEndpointOrModel.NotFound` for a model that does not exist; 429 `RateLimitExceeded.EndpointRPMExceeded`, `SetLimitExceeded`, `ServerOverloaded`; 500 `InternalServiceError`' },
  { id: 'B9', grade: 'seen', place: 'Combinations', answer: 'The modes are those of C. Either frames, one first and perhaps one last with it, or references: up to 9 images, 3 videos and 3 audios, but no audio by itself. An image needs no role where it is the only one, and is the first frame then; otherwise a missing role is 400' },
  { id: 'B10', grade: 'seen', place: 'Media forms', answer: '`asset://` ids, URLs and Base64; with `requireAssets` only the first. An id that does not exist or is still processed is 400 `InvalidParameter`', settings: ['requireAssets'] },
  { id: 'B11', grade: 'seen', place: 'adaptive', answer: "16:9 for text; with frames, the ratio of the list that is closest to the first frame's; with references, closest to that of the first image or video of known size, and 16:9 where none is known. Twice as wide is as far off as half as wide. The answer has the result in `ratio`" },
  { id: 'B12', grade: 'seen', place: 'duration -1', answer: 'Between 4 and 15 whole seconds by the seed of the task; `duration` of the answer says how many' },
  { id: 'B13', grade: 'seen', place: 'Pixels (width x height)', answer: 'For 16:9, 4:3, 1:1, 3:4, 9:16 and 21:9 in this order. 480p: 864x496, 752x560, 640x640, 560x752, 496x864, 992x432. 720p: 1280x720, 1112x834, 960x960, 834x1112, 720x1280, 1470x630. 1080p: 1920x1080, 1664x1248, 1440x1440, 1248x1664, 1080x1920, 2206x946. H.264 at 24 frames a second, with AAC where `generate_audio` is true' },
  { id: 'B14', grade: 'seen', place: 'usage', answer: '`total_tokens` equals `completion_tokens`, which is floor(width * height * (24 * duration + 1) / 1024), and with reference videos floor(width * height * 24 * input_seconds / 1024) more. Five seconds of 864x496 are 50638, of 1280x720 108900' },
  { id: 'B15', grade: 'seen', place: 'seed -1', answer: "The account's seeded generator draws one from 0 to 99999" },
  { id: 'B16', grade: 'seen', place: 'Transitions', answer: 'From queued to running, from running to succeeded or failed; a queued task can become cancelled, and one that takes longer than `execution_expires_after` seconds becomes expired' },
  { id: 'B17', grade: 'seen', place: 'Callback', answer: 'Where the create names a `callback_url`, each change posts the query object there, without a challenge before. Receivers have 5 s; 3 retries follow', settings: ['callbackHosts', 'callbackTimeoutScale'] },
  { id: 'B18', grade: 'spec', place: 'Result URL', answer: 'Valid for 14 days' },
]

const TASKS = '/provB/api/v3/contents/generations/tasks'

/** Video tasks of these facts: create, query, list, cancel and delete (§B). */
const videoTaskOf = (facts: VideoTaskFacts): VideoTask => {
  const models: Models = new VideoModels(facts.models)
  const schema = schemaOf(models, facts.bounds)
  return {
    id: 'b-video-task',
    section: 'B',
    title: 'Task-style video',
    gaps,
    reliesOn: {
      create: ['B1'],
      read: ['B3'],
      list: ['B5'],
      cancel: ['B6'],
      refusal: ['B8'],
      callback: ['B17', 'N5'],
    },
    api: apiOf(models, schema),
    mediaFields: ['url'],
    urlFields: ['video_url', 'last_frame_url'],
    listAt: 'items',
    models: models.ids,
    routes: {
      create: { method: 'POST', path: TASKS },
      read: { method: 'GET', path: `${TASKS}/{id}` },
      list: { method: 'GET', path: TASKS },
      cancel: { method: 'DELETE', path: `${TASKS}/{id}` },
    },
    reads: ['b-video-task', 'c-video'],
    maxBodyBytes: (settings) => settings.videoBodyBytes,
    schema,
    readRequest,
    rules: rulesOf(models, facts.bounds),
    errors,
    wellKnownErrors,
    mediaRefs: ({ mediaRefs }) => mediaRefs,
    paramsSchema: paramsSchemaOf(models),
    params: paramsOf(models),
    newId,
    timeline: timelineOf(models),
    deadline,
    price: priceOf(models),
    callback: { url: (input) => input.callback_url, handshake: false },
    visibleUntil: visibleUntilDeleted,
    notFound,
    cancelOutcome,
    resultTtlMs: RESULT_TTL_MS,
    respond: { created, read: readOf(models), list, cancelled, error: errorBody },
    probes,
    facts,
    make: videoTaskOf,
  }
}

type VideoTask = TaskFamily<TaskInput, VideoParams, TaskError, TaskBody>

/** The family of B. */
export const videoTask = videoTaskOf(facts)
