import type { Gap, TaskFamily } from '../../core/contract.js'
import { errorBody, errors, type ImageError, wellKnownErrors } from './errors.js'
import { facts, type ImageFamilyFacts } from './facts.js'
import { probes } from './probes.js'
import { apiOf, created, RESULT_TTL_MS } from './responses.js'
import { rulesOf, warnings } from './rules.js'
import {
  type ImageBody,
  type ImageInput,
  type ImageParams,
  idsOf,
  paramsOf,
  paramsSchema,
  readRequest,
  schemaOf,
} from './schema.js'
import { newId, timelineOf } from './timeline.js'

/** Gaps of families A and A2. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'A1', grade: 'seen', place: 'Codes', answer: '400 `InvalidParameter`, for an unknown model with "Model not exist."; 400 `DataInspectionFailed` where the content is refused; 400 `InvalidURL` where the URL of an image cannot be fetched; 401 `InvalidApiKey`; 413 `RequestBodyTooLarge` (assumed); 429 `Throttling.RateQuota`, `Throttling.AllocationQuota`; 500 `InternalError`; 502 `BadResponse` (assumed); 503 `ServiceUnavailable`, `model_not_found` ("no available channel for model …")' },
  { id: 'A2', grade: 'seen', place: 'n > 1', answer: 'A single choice holds all n pictures in order, each an `{image}` item of `message.content`' },
  { id: 'A3', grade: 'seen', place: '`size` omitted', answer: 'From text alone, 2688*1536 for a prompt with the word "wide", 1536*2688 for "tall", 2368*1728 for "landscape", 1728*2368 for "portrait" and 2048*2048 for any other; `defaultImageSize` fixes it. With images, the ratio of the last one, close to 2048*2048 pixels in area, with sides that are multiples of 16', settings: ['defaultImageSize'] },
  { id: 'A4', grade: 'seen', place: '`size` separator', answer: '`*` and no other: `1024x1024` and `1K` are refused' },
  { id: 'A5', grade: 'seen', place: 'A2 bounds', answer: '`n` is 1 to 6, and 1 where it is absent; `seed` is 0 to 2147483647. Images, and messages after the first, are 400 while `a2Editing` is off', settings: ['a2Editing'] },
  { id: 'A6', grade: 'spec', place: 'A2 `usage`', answer: 'It has `image_count`, `width` and `height`' },
  { id: 'A7', grade: 'assumed', place: '413 limit', answer: '32 MiB, which three images of 10 MB as Base64 exceed; `imageBodyBytes` changes it', settings: ['imageBodyBytes'] },
  { id: 'A8', grade: 'spec', place: 'Input images', answer: 'The bytes count, not the label: at most 10 MB, and decodable as an image. Sides outside the recommended 384 to 2048 pixels are accepted, with a warning in the journal' },
  { id: 'A9', grade: 'assumed', place: 'Content refused', answer: '400 `DataInspectionFailed` where a configured word (initially `[[moderation]]`) is in the prompt', settings: ['moderationWords'] },
  { id: 'A10', grade: 'assumed', place: 'Both `text` and `image` in one content item', answer: 'Both are read, the text first' },
]

/** Text-to-image and image-to-image of these facts, synchronous (§A). */
const imageOf = (facts: ImageFamilyFacts): ImageFamily => {
  const schema = schemaOf(facts)
  return {
    id: 'a-image',
    section: 'A',
    title: 'Images',
    gaps,
    reliesOn: { create: ['A2'], refusal: ['A1'] },
    api: apiOf(schema),
    bodySizeRef: 'docs/families/a-image.md#body, docs/gaps.md#a7',
    mediaFields: ['image'],
    urlFields: ['image'],
    sample: {
      title: 'A picture',
      path: '/provA/api/v1/services/aigc/multimodal-generation/generation',
      body: {
        model: 'alpha-image-3.0-pro',
        input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse in the fog' }] }] },
      },
    },
    models: idsOf(facts.models),
    modelsBeside: ['alpha-image-2.0-pro'],
    routes: {
      create: { method: 'POST', path: '/provA/api/v1/services/aigc/multimodal-generation/generation' },
    },
    maxBodyBytes: (settings) => settings.imageBodyBytes,
    schema,
    readRequest,
    rules: rulesOf(facts.bounds),
    errors,
    wellKnownErrors,
    mediaRefs: ({ mediaRefs }) => mediaRefs,
    warnings,
    paramsSchema,
    params: paramsOf(facts.bounds),
    newId,
    timeline: timelineOf,
    images: (params) => params.n,
    resultTtlMs: RESULT_TTL_MS,
    respond: { created, error: errorBody },
    probes,
    facts,
    make: imageOf,
  }
}

type ImageFamily = TaskFamily<ImageInput, ImageParams, ImageError, ImageBody>

/** The family of A. */
export const image = imageOf(facts)
