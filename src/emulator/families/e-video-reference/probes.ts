import type { Probe } from '../../core/contract.js'
import { NO_PICTURE, posted, withWrongKeys } from '../shared/probes.js'

const PATH = '/v1/videos'

const body = {
  model: 'beta2.7-r2v',
  subject_reference: [{ type: 'character', image: [NO_PICTURE] }],
  prompt: 'a cat',
}

// Each body is right but for what is changed.
const reference = (says: string, change: object) => posted(PATH, says, { ...body, ...change })

/** Calls that E refuses. */
export const probes: readonly Probe[] = [
  // The model is what tells a call from one of C, which has the same path.
  ...withWrongKeys('a reference video', PATH, { model: body.model }),
  reference('a reference video of 801 characters', { prompt: 'a'.repeat(801) }),
  reference('a reference video with a size that there is not', { size: '480P' }),
  reference('a reference video with the seed -1', { seed: -1 }),
]
