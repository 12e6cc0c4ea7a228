import type { FamilyFacts } from '../../core/family-facts.js'
import { models } from '../b-video-task/facts.js'
import { roleCounts } from '../shared/rules.js'

/** Models, those of B, and bounds of C (§C, gap C10). */
export const facts = {
  models,
  bounds: {
    'role-counts': roleCounts,
    'schema.seed': { min: -1, max: 4_294_967_295 },
    'schema.safety_identifier': { characters: 64 },
  },
} satisfies FamilyFacts

export type UnifiedVideoFacts = typeof facts
