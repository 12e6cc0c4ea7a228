import type { DecisionContext } from '../../core/world.js'
import { lengthUsed, mediaParams, seedUsed, type VideoParams } from '../b-video-task/order.js'
import { schema as taskSchema } from '../b-video-task/schema.js'
import { modeOf } from '../shared/roles.js'
import { mediaOf, promptOf, type VideoInput } from './schema.js'

// What a request of C cannot say is as B has it by default. Read once, so that no parser has to be written for it.
const unsaid = taskSchema
  .pick({ service_tier: true, execution_expires_after: true, draft: true, priority: true })
  .parse({}, { jitless: true })

const ratioOf = (input: VideoInput) =>
  input.ratio ?? (modeOf(mediaOf(input)) === 'text' ? '16:9' : 'adaptive')

/** The same order as B stores, so that each shows the tasks of the other (§C, gap C2). */
export const paramsOf = (input: VideoInput, world: DecisionContext): VideoParams => {
  const seed = seedUsed(input.seed, world)
  return {
    model: input.model,
    prompt: promptOf(input).text,
    resolution: input.size,
    ...mediaParams(ratioOf(input), mediaOf(input), world),
    duration: lengthUsed(input.seconds, seed),
    seed,
    generateAudio: input.generate_audio,
    watermark: input.watermark,
    returnLastFrame: input.return_last_frame,
    serviceTier: unsaid.service_tier,
    expiresAfter: unsaid.execution_expires_after,
    draft: unsaid.draft,
    priority: unsaid.priority,
    ...(input.safety_identifier === undefined ? {} : { safetyIdentifier: input.safety_identifier }),
  }
}
