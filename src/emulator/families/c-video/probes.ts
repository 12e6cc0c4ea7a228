import type { Probe } from '../../core/contract.js'
import { createProbes, NO_PICTURE, posted, someText } from '../shared/probes.js'

const PATH = '/v1/videos'

const body = { model: 'videoa-2-0-260128', media: someText }

// Each body is right but for what is changed.
const video = (says: string, change: object) => posted(PATH, says, { ...body, ...change })

/** Calls that C refuses. */
export const probes: readonly Probe[] = [
  ...createProbes('a video', PATH, body),
  video('a video of 3 seconds', { seconds: '3' }),
  video('a video with a size that there is not', { size: '4k' }),
  video('a video without a text', { media: [{ type: 'first_frame', url: NO_PICTURE }] }),
  { says: 'a video that there is not', method: 'GET', path: `${PATH}/cgt-20200101000000-aaaaa` },
]
