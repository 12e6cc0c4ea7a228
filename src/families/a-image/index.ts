import type { Gap, TaskFamily } from '../../core/contract.js'
import { errorBody, errors, type ImageError, wellKnownErrors } from './errors.js'
import { api, created, RESULT_TTL_MS } from './responses.js'
import { rules, warnings } from './rules.js'
import { type ImageInput, type ImageParams, imagesOf, paramsOf, paramsSchema, schema } from './schema.js'
import { newId, timelineOf } from './timeline.js'

/** Gaps of families A and A2. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'A1', grade: 'seen', place: 'Codes', answer: '400 `InvalidParameter` (also unknown model: "Model not exist."), 400 `DataInspectionFailed` (content refused), 400 `InvalidURL` (an image cannot be had), 401 `InvalidApiKey`, 413 `RequestBodyTooLarge`, 429 `Throttling.RateQuota` or `Throttling.AllocationQuota`, 500 `InternalError`, 502 `BadResponse`, 503 `ServiceUnavailable` or `model_not_found` ("no available channel for model …"). The 413 and 502 names are assumed' },
  { id: 'A2', grade: 'seen', place: 'n > 1', answer: 'one choice whose `message.content` has n `{image}` items, in order; not n choices' },
  { id: 'A3', grade: 'seen', place: '`size` omitted', answer: 'T2I: the model picks from the prompt: a deterministic choice by the prompt among 2048*2048, 2688*1536, 1536*2688, 2368*1728, 1728*2368 where the prompt speaks of landscape, wide, portrait or tall, else 2048*2048. I2I: the ratio of the last input image, area near 2048*2048, multiples of 16. Setting `defaultImageSize` overrides the T2I choice', settings: ['defaultImageSize'] },
  { id: 'A4', grade: 'seen', place: '`size` separator', answer: 'only `*`; `1024x1024`, `1K` are refused' },
  { id: 'A5', grade: 'seen', place: 'A2 bounds', answer: 'n 1 to 6, default 1; seed 0 to 2147483647; more than one message or an image item is 400 unless `a2Editing` is on', settings: ['a2Editing'] },
  { id: 'A6', grade: 'spec', place: 'A2 `usage`', answer: '`{image_count, width, height}`' },
  { id: 'A7', grade: 'assumed', place: '413 limit', answer: '32 MiB by default, a setting. (Three 10 MB images in Base64 exceed it: documented.)', settings: ['imageBodyBytes'] },
  { id: 'A8', grade: 'spec', place: 'Input images', answer: 'Type by content, not by the label; 10 MB; must decode as an image. 384 to 2048 pixels is a recommendation: no refusal, a warning in the journal' },
  { id: 'A9', grade: 'assumed', place: 'Content refused', answer: 'a prompt with a configured word (default `[[moderation]]`) is 400 `DataInspectionFailed`', settings: ['moderationWords'] },
  { id: 'A10', grade: 'assumed', place: 'Both `text` and `image` in one content item', answer: 'read as both, in that order' },
]

/** Text-to-image and image-to-image, synchronous (§A). */
export const image: TaskFamily<ImageInput, ImageParams, ImageError> = {
  id: 'a-image',
  section: 'A',
  title: 'Images',
  gaps,
  api,
  bodySizeRef: 'docs/families/a-image.md#body, docs/gaps.md#a7',
  mediaFields: ['image'],
  sample: {
    title: 'A picture',
    path: '/provA/api/v1/services/aigc/multimodal-generation/generation',
    body: {
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse in the fog' }] }] },
    },
  },
  models: ['alpha-image-3.0-pro'],
  modelsBeside: ['alpha-image-2.0-pro'],
  routes: {
    create: { method: 'POST', path: '/provA/api/v1/services/aigc/multimodal-generation/generation' },
  },
  maxBodyBytes: (settings) => settings.imageBodyBytes,
  schema,
  rules,
  errors,
  wellKnownErrors,
  mediaRefs: imagesOf,
  warnings,
  paramsSchema,
  params: paramsOf,
  newId,
  timeline: timelineOf,
  images: (params) => params.n,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, error: errorBody },
}
