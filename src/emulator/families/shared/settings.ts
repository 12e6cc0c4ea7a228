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
