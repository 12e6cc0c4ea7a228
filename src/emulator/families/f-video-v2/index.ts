import type { Gap, TaskFamily } from '../../core/contract.js'
import { VideoModels } from '../shared/models.js'
import { visibleWhileRecent } from '../shared/responses.js'
import { errorBody, errors, failureOf, notFound, type VideoError, wellKnownErrors } from './errors.js'
import { facts, type VideoV2Facts } from './facts.js'
import { probes } from './probes.js'
import { apiOf, cancelled, created, RESULT_TTL_MS, read } from './responses.js'
import { rulesOf } from './rules.js'
import {
  type Models,
  paramsOf,
  paramsSchemaOf,
  readRequest,
  schemaOf,
  type VideoBody,
  type VideoInput,
  type VideoParams,
} from './schema.js'
import { cancelOutcome, newId, priceOf, timelineOf } from './timeline.js'

// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'F1', grade: 'seen', place: 'Create response', answer: '200 `{"output":{"task_id"},"task_id"}`: in `output` by the specification, at the top level for clients that read it there. An id is text of 15 to 18 digits' },
  { id: 'F2', grade: 'seen', place: 'Query path', answer: '`GET /provC/v2/query/video_generation/{task_id}`' },
  { id: 'F3', grade: 'seen', place: 'Query body', answer: '`{"task":{…}}`, and all keys of the task once more at the top level' },
  { id: 'F4', grade: 'seen', place: 'Before success', answer: '`usage` is `{}` and `content` is absent. A failed task has `error:{"code":"1026","message":"…"}`, with the code as text' },
  { id: 'F5', grade: 'seen', place: '`task_type`, `modality`', answer: '`generation` and `video`' },
  { id: 'F6', grade: 'seen', place: 'usage', answer: '`input_seconds` are those of reference videos; with `output_seconds` they make `total_seconds`. `input_image_count` includes images of every role' },
  { id: 'F7', grade: 'seen', place: 'Callback field', answer: '`callback_url`' },
  { id: 'F8', grade: 'seen', place: 'Challenge', answer: 'A create is answered at once, and then `{"challenge":"<32 characters>"}` is posted. A receiver passes it with a 2xx answer within 3 s whose JSON repeats `challenge`, or whose text is the challenge and nothing else', settings: ['callbackTimeoutScale'] },
  { id: 'F9', grade: 'assumed', place: 'Challenge failed', answer: 'No callback is sent, and the task runs nevertheless. The callback log says both' },
  { id: 'F10', grade: 'assumed', place: 'Deliveries', answer: "Each change posts the answer of a query, in order for each task. A header holds the delivery's id, which its retries keep. Anything but 2xx within 5 s is tried again after 1, 2 and 4 s. Nothing is signed", settings: ['callbackTimeoutScale'] },
  { id: 'F11', grade: 'assumed', place: '`duration`, both required and with a default of 5', answer: '5 where it is missing, and refused then with `strict`', settings: ['strict'] },
  { id: 'F12', grade: 'spec', place: '`adaptive` by default with text only', answer: 'Allowed, and answered as 16:9' },
  { id: 'F13', grade: 'assumed', place: 'Combinations', answer: 'A last frame that has no first is taken by gamma-H3 and 400 for gamma-H3-Max, since clients of this interface differ. Audio as the only reference is 400. An image that names no role is the first frame. Text has at most 7000 characters' },
  { id: 'F14', grade: 'seen', place: 'Unknown task, older than 7 days', answer: '400 "invalid params, invalid task_id (2013)"' },
  { id: 'F15', grade: 'seen', place: 'Pixels', answer: 'For 16:9, 4:3, 1:1 and 21:9 in this order; portrait ratios exchange the sides. 480P: 854x480, 640x480, 480x480, 1120x480. 768P: 1344x768, 1024x768, 768x768, 1792x768. 2K: 2560x1440, 2048x1536, 2048x2048, 2560x1080. With audio, at 24 frames a second' },
  { id: 'F16', grade: 'assumed', place: 'Body over 64 MB', answer: '413, written as F writes its errors', settings: ['videoBodyBytes'] },
  { id: 'F17', grade: 'seen', place: 'Delete', answer: '`DELETE /provC/v2/video_generation/{task_id}` cancels a queued task, which is how one becomes `cancelled`: 200 `{"task_id","action":"cancelled","status":"cancelled"}`. In any other state it is 400' },
]

const VIDEO_GENERATION = '/provC/v2/video_generation'

/** Second-generation video of these facts: create, query, cancel, and callbacks (§F, §Callbacks). */
const videoV2Of = (facts: VideoV2Facts): VideoV2 => {
  const models: Models = new VideoModels(facts.models)
  const schema = schemaOf(models)
  return {
    id: 'f-video-v2',
    section: 'F',
    title: 'Second-generation video',
    gaps,
    reliesOn: {
      create: ['F1'],
      read: ['F2', 'F3'],
      cancel: ['F17'],
      refusal: ['F14'],
      callback: ['F7', 'F10', 'Z16'],
      challenge: ['F8'],
    },
    api: apiOf(models, schema),
    bodySizeRef: 'docs/families/f-video-v2.md#body, docs/gaps.md#f16',
    mediaFields: ['url'],
    taskAt: 'task',
    idAt: 'output.task_id',
    failureCode: (_, row) => failureOf(row).code,
    models: models.ids,
    routes: {
      create: { method: 'POST', path: VIDEO_GENERATION },
      read: { method: 'GET', path: '/provC/v2/query/video_generation/{task_id}' },
      cancel: { method: 'DELETE', path: `${VIDEO_GENERATION}/{task_id}` },
    },
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
    price: priceOf(models),
    callback: { url: (input) => input.callback_url, handshake: true, challenge: 'VideoV2Challenge' },
    visibleUntil: visibleWhileRecent,
    notFound,
    cancelOutcome,
    resultTtlMs: RESULT_TTL_MS,
    respond: { created, read, cancelled, error: errorBody },
    probes,
    facts,
    make: videoV2Of,
  }
}

type VideoV2 = TaskFamily<VideoInput, VideoParams, VideoError, VideoBody>

/** The family of F. */
export const videoV2 = videoV2Of(facts)
