import { type FamilyFacts, modes } from '../../core/family-facts.js'
import { running, runningShare, type VideoModel } from '../shared/models.js'
import { listedRatios, withPortrait } from '../shared/ratios.js'
import { roleCounts } from '../shared/rules.js'

type Model = 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
type Resolution = '480p' | '720p' | '1080p'

// Width and height by resolution and ratio (gap B13).
// biome-ignore format: one row a line
const pixels = {
  '480p': withPortrait({ '16:9': [864, 496], '4:3': [752, 560], '1:1': [640, 640], '21:9': [992, 432] }),
  '720p': withPortrait({ '16:9': [1280, 720], '4:3': [1112, 834], '1:1': [960, 960], '21:9': [1470, 630] }),
  '1080p': withPortrait({ '16:9': [1920, 1080], '4:3': [1664, 1248], '1:1': [1440, 1440], '21:9': [2206, 946] }),
}

const standard: VideoModel<Resolution> = {
  seconds: [4, 15],
  sizes: pixels,
  // 1080p is not for text alone (gap B2, C9).
  sizesFromText: ['480p', '720p'],
  ratios: listedRatios,
  modes,
  sound: true,
  framesPerSecond: 24,
  // docs/families/b-video-task.md#price
  price: { '480p': 0.05, '720p': 0.1, '1080p': 0.25 },
  // Realistic timing (docs/time.md).
  running: running(15, 20, { '480p': 8_000, '720p': 14_000, '1080p': 30_000 }),
}

/** Models of B and C (§B request): the fast one costs half, takes less than half of the time, and makes no 1080p. */
export const models: Readonly<Record<Model, VideoModel<Resolution>>> = {
  'videoa-2-0-260128': standard,
  'videoa-2-0-fast-260128': {
    ...standard,
    sizes: { '480p': pixels['480p'], '720p': pixels['720p'] },
    price: { '480p': 0.025, '720p': 0.05 },
    running: runningShare(0.45, standard.running),
  },
}

/** Models and bounds of B (§B, gap B2). */
export const facts = {
  models,
  bounds: {
    'role-counts': roleCounts,
    'schema.seed': { min: -1, max: 4_294_967_295 },
    'schema.execution_expires_after': { min: 3_600, max: 259_200 },
    'schema.priority': { min: 0, max: 9 },
    'schema.safety_identifier': { characters: 64 },
  },
} satisfies FamilyFacts

export type VideoTaskFacts = typeof facts
