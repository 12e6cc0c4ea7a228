import type { FamilyFacts } from '../../core/family-facts.js'
import { MAX_SEED } from '../shared/schema.js'
import { sizeBounds } from './image-size.js'

/** Bounds that A and A2 share (§A size, §A content, gap A8). */
export const bounds = {
  'at-most-three-images': { images: 3 },
  ...sizeBounds,
  'image-bytes': { megabytes: 10 },
  'schema.parameters.n': { min: 1, max: 6 },
  'schema.parameters.seed': { min: 0, max: MAX_SEED },
}
export type ImageBounds = typeof bounds

/** Model and bounds of A. */
export const facts = { models: { 'alpha-image-3.0-pro': {} }, bounds } satisfies FamilyFacts
export type ImageFamilyFacts = typeof facts
