import type { Gap, TaskFamily } from '../../core/contract.js'
import { RESULT_TTL_MS } from '../b-video-task/responses.js'
import { errorBody, notFound, refusals, type VideosError, wellKnownErrors } from '../c-video/errors.js'
import { created, otherStatusWords } from '../c-video/responses.js'
import { VideoModels } from '../shared/models.js'
import { visibleUntilDeleted } from '../shared/responses.js'
import { facts, type ReferenceFacts } from './facts.js'
import { probes } from './probes.js'
import { apiOf, read } from './responses.js'
import { rulesOf } from './rules.js'
import {
  type Models,
  paramsOf,
  paramsSchemaOf,
  type ReferenceBody,
  type ReferenceInput,
  type ReferenceParams,
  readRequest,
  schemaOf,
  statuses,
} from './schema.js'
import { newId, priceOf, timelineOf } from './timeline.js'

// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'E1', grade: 'seen', place: '`subject_reference` items', answer: '`type` must be `character`, or it is 400. `image` is a list of at least one URL, `asset://` id or Base64; a string counts as a list with that one entry. Further keys are ignored' },
  { id: 'E2', grade: 'seen', place: 'Required', answer: 'At least one `subject_reference`. A `prompt` is optional; where there is one, it has 1 to 800 characters, otherwise 400' },
  { id: 'E3', grade: 'spec', place: '`image` or `images` beside `subject_reference`', answer: 'Refused: 400 `invalid_request`' },
  { id: 'E4', grade: 'seen', place: '`seconds`', answer: 'An integer from 2 to 15, or its text' },
  { id: 'E5', grade: 'seen', place: 'Defaults', answer: 'Both `prompt_extend` and `watermark` are false' },
  { id: 'E6', grade: 'seen', place: 'Create status, progress', answer: 'A create answers `pending` and 0. Progress runs from 10 to 95, and is 100 at the end' },
  { id: 'E7', grade: 'seen', place: 'Query', answer: 'The fields of C3 that exist in E' },
  { id: 'E8', grade: 'seen', place: 'Pixels', answer: '720P is 1280x720, 1080P is 1920x1080, both at 30 frames a second. A task of E does not expire' },
]

/** Reference-to-video of these facts: videos of given characters, on the path of C (§E). Errors and places of the result are C's. */
const referenceVideoOf = (facts: ReferenceFacts): ReferenceVideo => {
  const models: Models = new VideoModels(facts.models)
  const schema = schemaOf(models, facts.bounds)
  return {
    id: 'e-video-reference',
    section: 'E',
    title: 'Reference-to-video',
    gaps,
    reliesOn: { create: ['E6'], read: ['E7', 'Z27'], refusal: ['C6'] },
    api: apiOf(models, schema),
    bodySizeRef: 'docs/families/e-video-reference.md#body, docs/gaps.md#z24',
    mediaFields: ['image'],
    urlFields: ['url', 'video_url'],
    models: models.ids,
    states: statuses,
    routes: {
      create: { method: 'POST', path: '/v1/videos' },
      read: { method: 'GET', path: '/v1/videos/{task_id}' },
    },
    maxBodyBytes: (settings) => settings.videoBodyBytes,
    schema,
    readRequest,
    rules: rulesOf(models, facts.bounds),
    errors: refusals,
    wellKnownErrors,
    mediaRefs: ({ mediaRefs }) => mediaRefs,
    paramsSchema: paramsSchemaOf(models),
    params: paramsOf,
    newId,
    timeline: timelineOf(models),
    price: priceOf(models),
    visibleUntil: visibleUntilDeleted,
    notFound,
    resultTtlMs: RESULT_TTL_MS,
    respond: { created, read, error: errorBody },
    otherStatusWords,
    probes,
    facts,
    make: referenceVideoOf,
  }
}

type ReferenceVideo = TaskFamily<ReferenceInput, ReferenceParams, VideosError, ReferenceBody>

/** The family of E. */
export const referenceVideo = referenceVideoOf(facts)
