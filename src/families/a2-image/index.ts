import type { TaskFamily } from '../../core/task/family.js'
import { imagesOf } from '../a-image/content.js'
import { errors, type ImageError, problem, standing } from '../a-image/errors.js'
import { type ImageParams, lifecycle, newId, paramsOf } from '../a-image/order.js'
import { RESULT_LIFE_MS } from '../a-image/render.js'
import { warnings } from '../a-image/rules.js'
import { created } from './render.js'
import { rules } from './rules.js'
import { type Image2Input, schema } from './schema.js'

/** Text-to-image with the second-generation model, on the path of A (§A2). What this folder does not have is as in A. */
export const image2: TaskFamily<Image2Input, ImageParams, ImageError> = {
  id: 'a2-image',
  section: 'A2',
  title: 'Images, second model',
  models: ['alpha-image-2.0-pro'],
  routes: {
    create: { method: 'POST', path: '/provA/api/v1/services/aigc/multimodal-generation/generation' },
  },
  maxBodyBytes: (settings) => settings.imageBodyBytes,
  schema,
  rules,
  errors,
  standing,
  mediaRefs: imagesOf,
  warnings,
  order: paramsOf,
  newId,
  lifecycle,
  images: (order) => order.n,
  resultLifeMs: RESULT_LIFE_MS,
  render: { created, problem },
}
