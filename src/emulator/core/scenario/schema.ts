import { z } from 'zod'
import { thenSchema } from './effects/index.js'
import { whenSchema } from './selector.js'

const text = z.string().min(1)

/** Zod schema of a step: when it acts, and what happens then. */
export const stepSchema = z.strictObject({
  description: text.optional().describe('label of the step, shown in explanations'),
  says: z.string().optional().describe('the old word for description'),
  when: whenSchema.default(() => whenSchema.parse({})).describe('when it acts; default: on every call'),
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
  then: thenSchema.describe('what it does; parts may stand together where they make sense for the call'),
  times: z.int().min(1).optional().describe('acts at most so often; default: without end'),
  required: z.boolean().default(false).describe('not having acted at the end of a test is a failure'),
})

/** Subjects of scenarios: the part of an integration that one tries. */
export const scenarioSubjects = ['create', 'poll', 'callback', 'result', 'money'] as const

/** Zod schema of a scenario file: its name, what it is for, and its steps. The one source of everything about such files. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional().describe('for editors; ignored'),
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'words of a-z and 0-9 joined by hyphens' })
    .describe('words of a-z and 0-9 joined by hyphens'),
  description: text.optional().describe('what it does to a client, in a sentence'),
  says: text.optional().describe('the old word for description'),
  advice: z.string().optional().describe('what a robust client does about it'),
  client: z.string().optional().describe('the old word for advice'),
  about: z
    .enum(scenarioSubjects)
    .optional()
    .describe(
      'what of an integration it tries: the create, the poll, the callback, the result, or the money',
    ),
  survivable: z
    .union([z.boolean(), z.array(text).min(1)], { error: 'true, false, or a list of families' })
    .optional()
    .describe(
      'whether a client can still get what it ordered, within one run of its tests; a list: in these families alone',
    ),
  steps: z.array(stepSchema).min(1).describe('the first one that fits a call acts on it'),
})

export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioInput = z.input<typeof scenarioSchema>
export type Step = Scenario['steps'][number]

/** Old spellings of keys, by the new ones: files have one or the other. */
export const oldSpellings = { description: 'says', advice: 'client' } as const

/** Description of a scenario or a step, in the new spelling or the old one. */
export const descriptionOf = (described: Pick<Step, 'description' | 'says'>): string | undefined =>
  described.description ?? described.says

/** Advice to the authors of clients. */
export const adviceOf = ({ advice, client }: Pick<Scenario, 'advice' | 'client'>): string | undefined =>
  advice ?? client

/**
 * Whether a client can survive a scenario that has acted on calls of these families. In one that its list does not name, the best
 * is to stop and say why.
 */
export const isSurvivable = (
  { survivable = true }: Pick<Scenario, 'survivable'>,
  families: readonly string[],
): boolean =>
  typeof survivable === 'boolean' ? survivable : families.every((family) => survivable.includes(family))

/** A scenario as a document that reads as the same scenario. */
export const documentOf = (scenario: Scenario): ScenarioInput => z.encode(scenarioSchema, scenario)
