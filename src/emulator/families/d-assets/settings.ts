import { z } from 'zod'
import type { QuotaSpec } from '../../core/quotas.js'
import { bytes, quota, texts } from '../../core/setting-fields.js'

/** Settings of family D. */
export const assetsSettings = {
  groups: texts().describe('values of group_id that uploads may name; default: any (D2)'),
  assetImageBytes: bytes(30).describe('an uploaded image (D7)'),
  assetVideoBytes: bytes(50).describe('an uploaded video (D7)'),
  assetAudioBytes: bytes(15).describe('an uploaded sound (D7)'),
  assetTotalBytes: bytes(512).describe('all assets of an account; keep it well below inputBytes'),
  // Job ids end in four digits, which have to last for one second of the clock.
  maxAssets: z.int().min(1).max(10_000).default(1_000).describe('assets per account'),
  assetsInAll: quota(50_000).describe('assets of all accounts'),
}

/** Quotas of family D. */
// biome-ignore format: one row a line, or two where it is long
export const assetsQuotas = {
  'assets-per-account': { of: 'assets of an account', settings: ['maxAssets'], per: 'account', kind: 'refuses', atBound: 'uploads are refused' },
  'asset-bytes-per-account': { of: 'bytes of the assets of an account', settings: ['assetTotalBytes'], per: 'account', kind: 'refuses',
    atBound: 'uploads are refused' },
  'assets-in-all': { of: 'assets of all accounts', settings: ['assetsInAll'], per: 'emulator', kind: 'refuses', atBound: 'uploads are refused' },
  'asset-files': { of: 'bytes of an uploaded file', settings: ['assetVideoBytes', 'assetImageBytes', 'assetAudioBytes'], per: 'call', kind: 'refuses',
    atBound: 'the upload is refused' },
} as const satisfies Readonly<Record<string, QuotaSpec>>
