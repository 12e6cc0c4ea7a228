import type { QuotaSpec } from '../../core/quotas.js'
import { bytes, switchedOff, texts } from '../../core/setting-fields.js'

/** Settings that several families share. */
export const sharedSettings = {
  videoBodyBytes: bytes(64).describe(
    'body limit of families B, C, E and F, and of a medium that is read from a URL (F16)',
  ),
  moderationWords: texts('[[moderation]]').describe('words that make a prompt refused (A9)'),
  requireAssets: switchedOff.describe('B and C take asset:// only (B10)'),
  allowAudioOnly: switchedOff.describe('take audio references without a visual one (Z4)'),
}

/** Quotas that several families share: those of A and A2 are in `imageBodyBytes`. */
// biome-ignore format: one row a line, or two where it is long
export const sharedQuotas = {
  'request-bodies': { of: 'bytes of a request body', settings: ['videoBodyBytes', 'imageBodyBytes'], per: 'call', kind: 'refuses',
    atBound: 'the request is refused' },
} as const satisfies Readonly<Record<string, QuotaSpec>>
