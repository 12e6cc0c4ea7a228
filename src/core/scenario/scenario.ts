import { z } from 'zod'
import { thenSchema } from './then.js'
import { whenSchema } from './when.js'

/** One step of a file: when it acts, and what happens then. */
export const stepSchema = z.strictObject({
  says: z.string().optional().describe('what this step is, for whoever reads an explanation'),
  when: whenSchema.default(() => whenSchema.parse({})).describe('left out: every call'),
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
  then: thenSchema,
  times: z.int().min(1).optional().describe('acts at most so often; left out: without end'),
  required: z.boolean().default(false).describe('not having acted at the end of a test is a failure'),
})

/** A scenario file: what it is called, what it is for, and what happens when. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'words of a-z and 0-9 joined by hyphens' }),
  says: z.string().min(1).describe('what it does to a client, in a sentence'),
  client: z.string().optional().describe('what a robust client does about it'),
  steps: z.array(stepSchema).min(1),
})
export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioInput = z.input<typeof scenarioSchema>
export type Step = Scenario['steps'][number]

/** A scenario as a document that reads as the same scenario. */
export const documentOf = (scenario: Scenario): ScenarioInput => z.encode(scenarioSchema, scenario)
