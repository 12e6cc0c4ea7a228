import type { Probe } from '../../core/contract.js'
import { createProbes, NO_PICTURE, posted, someText } from '../shared/probes.js'

const PATH = '/provC/v2/video_generation'

const body = { model: 'gamma-H3', content: someText, duration: 5 }

// Each body is right but for what is changed.
const video = (says: string, change: object) => posted(PATH, says, { ...body, ...change })

/** Calls that F refuses. */
export const probes: readonly Probe[] = [
  ...createProbes('a video of F', PATH, body),
  video('a video of F without a text', {
    content: [{ type: 'image_url', role: 'first_frame', image_url: { url: NO_PICTURE } }],
  }),
  video('a video of gamma-H3-Max in 2K', { model: 'gamma-H3-Max', resolution: '2K' }),
  video('a video of gamma-H3-Max of 4 seconds', { model: 'gamma-H3-Max', duration: 4 }),
  {
    says: 'a video of F that there is not',
    method: 'GET',
    path: '/provC/v2/query/video_generation/100000000000000000',
  },
]
