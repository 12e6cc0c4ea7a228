import type { TaskFamily } from '../../core/task/family.js'
import { imagesOf } from './content.js'
import { errors, type ImageError, problem, standing } from './errors.js'
import { type ImageOrder, lifecycle, newId, orderOf } from './order.js'
import { created, RESULT_LIFE_MS } from './render.js'
import { remarks, rules } from './rules.js'
import { type ImageInput, schema } from './schema.js'

/** Text-to-image and image-to-image, synchronous (§A). */
export const image: TaskFamily<ImageInput, ImageOrder, ImageError> = {
  id: 'a-image',
  section: 'A',
  title: 'Images',
  models: ['alpha-image-3.0-pro'],
  modelsBeside: ['alpha-image-2.0-pro'],
  routes: {
    create: { method: 'POST', path: '/provA/api/v1/services/aigc/multimodal-generation/generation' },
  },
  maxBodyBytes: (settings) => settings.imageBodyBytes,
  schema,
  rules,
  errors,
  standing,
  mentions: imagesOf,
  remarks,
  order: orderOf,
  newId,
  lifecycle,
  images: (order) => order.n,
  resultLifeMs: RESULT_LIFE_MS,
  render: { created, problem },
}
