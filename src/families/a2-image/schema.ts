import { z } from 'zod'
import { inputOf, sharedParameters } from '../a-image/schema.js'

const MAX_MESSAGES = 100

/** A request of family A2: the layout of A, and the parameters named for this model (§A2, gap A5). */
export const schema = z.object({
  model: z.literal('alpha-image-2.0-pro'),
  // A rule, not the schema, holds it to one message, since the setting a2Editing allows more.
  input: inputOf(
    MAX_MESSAGES,
    `a list of exactly 1 item, or with the setting a2Editing of 1 to ${MAX_MESSAGES}`,
  ),
  parameters: sharedParameters.default(() => sharedParameters.parse({})),
})
export type Image2Input = z.output<typeof schema>
