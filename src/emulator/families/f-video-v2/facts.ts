import type { FamilyFacts } from '../../core/family-facts.js'
import { running, runningShare, type VideoModel } from '../shared/models.js'
import { listedRatios, withPortrait } from '../shared/ratios.js'
import { roleCounts } from '../shared/rules.js'

type Model = 'gamma-H3' | 'gamma-H3-Max'
type Resolution = '480P' | '768P' | '2K'

// Width and height by resolution and ratio (gap F15).
// biome-ignore format: one row a line
const pixels = {
  '480P': withPortrait({ '16:9': [854, 480], '4:3': [640, 480], '1:1': [480, 480], '21:9': [1120, 480] }),
  '768P': withPortrait({ '16:9': [1344, 768], '4:3': [1024, 768], '1:1': [768, 768], '21:9': [1792, 768] }),
  '2K': withPortrait({ '16:9': [2560, 1440], '4:3': [2048, 1536], '1:1': [2048, 2048], '21:9': [2560, 1080] }),
}

const usual: VideoModel<Resolution> = {
  seconds: [4, 15],
  sizes: { '768P': pixels['768P'], '2K': pixels['2K'] },
  ratios: listedRatios,
  modes: ['text', 'first-frame', 'first-last-frame', 'reference'],
  lastFrameAlone: true,
  sound: true,
  framesPerSecond: 24,
  // docs/families/f-video-v2.md#price
  price: { '768P': 0.1, '2K': 0.25 },
  running: running(20, 30, { '480P': 6_000, '768P': 12_000, '2K': 28_000 }),
}

/** The two models with their differences (§F model differences). */
const models: Readonly<Record<Model, VideoModel<Resolution>>> = {
  'gamma-H3': usual,
  'gamma-H3-Max': {
    ...usual,
    seconds: [5, 15],
    sizes: { '480P': pixels['480P'], '768P': pixels['768P'] },
    modes: ['text', 'first-frame', 'first-last-frame'],
    lastFrameAlone: false,
    price: { '480P': 0.1, '768P': 0.2 },
    running: runningShare(1.5, usual.running),
  },
}

const sides = { min: 256, max: 5_760 }
const ratio = { min: 0.4, max: 2.5 }
const seconds = { min: 2, max: 15 }

/** Models and bounds of F (§F, §F media limits). */
export const facts = {
  models,
  bounds: {
    'text-length': { characters: 7_000 },
    'role-counts': roleCounts,
    'image-bytes': { megabytes: 30 },
    'image-sides': sides,
    'image-ratio': ratio,
    'video-bytes': { megabytes: 50 },
    'video-sides': sides,
    'video-ratio': ratio,
    'video-frame-rate': { min: 23.976, max: 60 },
    'video-seconds': seconds,
    'video-seconds-in-all': { seconds: 15 },
    'audio-bytes': { megabytes: 15 },
    'audio-seconds': seconds,
    'audio-seconds-in-all': { seconds: 15 },
  },
} satisfies FamilyFacts

export type VideoV2Facts = typeof facts
