import type { Probe } from '../../core/contract.js'
import { createProbes, posted } from '../shared/probes.js'

const PATH = '/provA/api/v1/services/aigc/multimodal-generation/generation'

const body = {
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
}

// Each body is right but for what is changed.
const image = (says: string, change: object) => posted(PATH, says, { ...body, ...change })

/** Calls that A refuses. */
export const probes: readonly Probe[] = [
  ...createProbes('an image', PATH, body),
  image('an image of two texts', {
    input: { messages: [{ role: 'user', content: [{ text: 'a cat' }, { text: 'a dog' }] }] },
  }),
  image('seven images', { parameters: { n: 7 } }),
  image('an image of 100*100', { parameters: { size: '100*100' } }),
]
