import type { AnyTaskFamily, Gap, TaskFamily } from '../../core/contract.js'
import { RESULT_TTL_MS } from '../b-video-task/responses.js'
import { type Models, paramsSchemaOf, type VideoParams } from '../b-video-task/schema.js'
import { deadline, newId, priceOf, timelineOf } from '../b-video-task/timeline.js'
import { VideoModels } from '../shared/models.js'
import { visibleUntilDeleted } from '../shared/responses.js'
import { contentOperation } from './content.js'
import { errorBody, errors, notFound, type VideoError, wellKnownErrors } from './errors.js'
import { facts, type UnifiedVideoFacts } from './facts.js'
import { probes } from './probes.js'
import { apiOf, created, otherStatusWords, readOf } from './responses.js'
import { rulesOf } from './rules.js'
import { paramsOf, readRequest, schemaOf, type VideoBody, type VideoInput } from './schema.js'

/** Gaps of family C, and of E on the same path. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'C1', grade: 'seen', place: 'Create response', answer: '200 with one id in both `id` and `task_id`, `object` "video", `model`, `status` "queued", `progress` 0 and `created_at`' },
  { id: 'C2', grade: 'assumed', place: 'Ids', answer: '`cgt-…`, shared with B: they are the same models, so tasks made by one family can be queried by the other' },
  { id: 'C3', grade: 'seen', place: 'Query', answer: 'The object of B with `task_id`, `object`, `progress` and `completed_at`. Once succeeded the URL is in `url`, `video_url` and `metadata.url` as well as in `content.video_url`; with `metadataUrl: content`, `metadata.url` is the path `/v1/videos/{id}/content`, which needs the key', settings: ['metadataUrl'] },
  { id: 'C4', grade: 'seen', place: 'Status words', answer: 'As in the specification; with `videoStatusWords: "openai-style"` they are queued, in_progress, completed, failed', settings: ['videoStatusWords'] },
  { id: 'C5', grade: 'seen', place: 'Unknown task, older than 7 days', answer: '404 `task_not_exist`' },
  { id: 'C6', grade: 'seen', place: 'Refusals', answer: '400: `unsupported_model` where the model is unknown, otherwise `invalid_request`' },
  { id: 'C7', grade: 'assumed', place: '`url` or `asset_id` (the specification names both)', answer: 'One is enough, and `url` goes first where there are two; an empty one counts as absent. `asset_id` may leave out `asset://`' },
  { id: 'C8', grade: 'seen', place: '`seconds`', answer: 'Text of an integer, or the integer itself; otherwise 400' },
  { id: 'C9', grade: 'assumed', place: '1080p', answer: 'Only for the standard model, and not from text alone, since "text-to-video is 720p" is taken as its maximum; 480p and 720p in all cases' },
  { id: 'C10', grade: 'seen', place: 'Combinations', answer: 'The rules of B9, and one `text` item or more' },
  { id: 'C11', grade: 'seen', place: 'Listing, deleting', answer: 'They do not exist: 404 (X7). The bytes of a video that succeeded are at `GET /v1/videos/{id}/content`, which is 400 before' },
  { id: 'C12', grade: 'assumed', place: 'multipart create', answer: '415, with a message that asks for JSON' },
]

/** The unified interface to the videos of B, of these facts: create and query (§C). What this folder does not have is as in B. */
const unifiedVideoOf = (facts: UnifiedVideoFacts): UnifiedVideo => {
  const models: Models = new VideoModels(facts.models)
  const schema = schemaOf(models, facts.bounds)
  return {
    id: 'c-video',
    section: 'C',
    title: 'Unified video',
    gaps,
    reliesOn: { create: ['C1', 'C2'], read: ['C3', 'C4'], refusal: ['C6'] },
    api: apiOf(models, schema),
    bodySizeRef: 'docs/families/c-video.md#body, docs/gaps.md#z24',
    mediaFields: ['url'],
    urlFields: ['url', 'video_url', 'last_frame_url'],
    models: models.ids,
    modelsBeside: ['beta2.7-r2v'],
    routes: {
      create: { method: 'POST', path: '/v1/videos' },
      read: { method: 'GET', path: '/v1/videos/{task_id}' },
    },
    operations: (family: AnyTaskFamily) => [contentOperation(family)],
    reads: ['c-video', 'b-video-task'],
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
    visibleUntil: visibleUntilDeleted,
    notFound,
    resultTtlMs: RESULT_TTL_MS,
    respond: { created, read: readOf(models), error: errorBody },
    otherStatusWords,
    probes,
    facts,
    make: unifiedVideoOf,
  }
}

type UnifiedVideo = TaskFamily<VideoInput, VideoParams, VideoError, VideoBody>

/** The family of C. */
export const unifiedVideo = unifiedVideoOf(facts)
