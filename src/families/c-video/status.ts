import type { Settings } from '../../core/settings.js'
import type { State } from '../../core/task/phase.js'

// Four words for seven states: what will bring no video any more is failed.
const openAiWords: Readonly<Record<State, string>> = {
  pending: 'queued',
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

/** The word for a state on `/v1/videos`: the specification's, or the setting's (gap C4). */
export const statusWord = (state: State, { videoStatusWords }: Settings): string =>
  videoStatusWords === 'openai-style' ? openAiWords[state] : state
