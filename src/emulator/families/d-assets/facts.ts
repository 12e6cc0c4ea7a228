import type { FamilyFacts } from '../../core/family-facts.js'

/** Bounds of the asset library (gap D7, Z22). The largest files are settings. It has no models. */
export const facts = {
  models: {},
  bounds: {
    'name-length': { characters: 64 },
    sides: { min: 300, max: 6_000 },
    ratio: { min: 0.4, max: 2.5 },
    seconds: { min: 2, max: 15 },
    // 23.976 frames a second count as 24 (gap Z22).
    'frames-per-second': { min: 23.976, max: 60 },
  },
} satisfies FamilyFacts

export type AssetBounds = (typeof facts)['bounds']
