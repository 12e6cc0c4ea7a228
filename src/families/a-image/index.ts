import type { TaskFamily } from '../../core/contract.js'
import { errorBody, errors, type ImageError, wellKnownErrors } from './errors.js'
import { gaps } from './gaps.js'
import { type ImageParams, newId, paramsOf, paramsSchema, timelineOf } from './params.js'
import { created, RESULT_TTL_MS } from './respond.js'
import { api } from './responses.js'
import { rules, warnings } from './rules.js'
import { type ImageInput, imagesOf, schema } from './schema.js'

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
  wellKnownErrors: wellKnownErrors,
  mediaRefs: imagesOf,
  warnings,
  paramsSchema,
  params: paramsOf,
  newId,
  timeline: timelineOf,
  images: (order) => order.n,
  resultTtlMs: RESULT_TTL_MS,
  respond: { created, error: errorBody },
}
