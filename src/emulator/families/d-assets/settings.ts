import { z } from 'zod'
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
