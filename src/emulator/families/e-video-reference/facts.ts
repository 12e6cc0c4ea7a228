import type { FamilyFacts } from '../../core/family-facts.js'
import { running, type VideoModel } from '../shared/models.js'
import { MAX_SEED } from '../shared/schema.js'

type Size = '720P' | '1080P'

/** Model and bounds of E (§E, gaps E2, E4, E8). Its videos are all of one ratio. */
export const facts = {
  models: {
    'beta2.7-r2v': {
      seconds: [2, 15],
      sizes: {
        '720P': { '16:9': { width: 1280, height: 720 } },
        '1080P': { '16:9': { width: 1920, height: 1080 } },
      },
      ratios: ['16:9'],
      modes: ['reference'],
      sound: true,
      framesPerSecond: 30,
      price: { '720P': 0.1, '1080P': 0.16 },
      running: running(20, 40, { '720P': 12_000, '1080P': 22_000 }),
    } satisfies VideoModel<Size> as VideoModel<Size>,
  },
  bounds: {
    'prompt-length': { characters: 800 },
    'schema.seed': { min: 0, max: MAX_SEED },
  },
} satisfies FamilyFacts

export type ReferenceFacts = typeof facts
