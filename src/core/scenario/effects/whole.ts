import { z } from 'zod'
import type { OutgoingReply } from './answer.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'result', OutgoingReply>('result')

/** The file with status 200 where a part of it was asked for. Nothing changes: every file of this part is sent whole. */
export const whole = effect({
  key: 'whole',
  schema: z.literal(true),
  description: 'the whole file, whatever Range asks for',
  conflicts: { expired: 'an expired result has no bytes', missing: 'a missing result has no bytes' },
})
