import type { AccountEvent } from '../account/settle.js'
import type { Instant } from '../time/timeline.js'
import type { Callback } from './callback.js'

/** What became of a callback, in a word: `passed` is a challenge's, `retrying` has another attempt to come. */
export type CallbackDetail = 'passed' | 'delivered' | 'retrying' | 'failed' | 'skipped'

export const happened = (callback: Callback, at: Instant, detail: CallbackDetail): AccountEvent => ({
  at,
  kind: 'callback',
  id: callback.id,
  detail,
  callback,
})
