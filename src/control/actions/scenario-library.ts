import { z } from 'zod'
import { toJsonSchema } from '../../core/json-schema.js'
import {
  adviceOf,
  descriptionOf,
  documentOf,
  scenarioSchema,
  scenarioSubjects,
} from '../../core/scenario/schema.js'
import { action, itemsOf, nothing, record } from '../action.js'

const libraryRecord = record('ReadyMadeScenario', 'A scenario that comes with the package.', () =>
  z.object({
    name: z.string(),
    description: z.string(),
    advice: z.string().describe('what a robust client does about it'),
    about: z
      .enum(scenarioSubjects)
      .nullable()
      .describe('the part of an integration that it tests; null: it does not say'),
    steps: z.number(),
    text: z.string().describe('its file, YAML'),
  }),
)

export const listScenarios = action({
  route: { method: 'GET', path: '/scenarios' },
  summary: 'The ready-made scenarios, in alphabetical order',
  input: nothing,
  output: () => itemsOf(libraryRecord()),
  run: async ({ scenarios }) => ({
    items: (await scenarios.readyMade()).map(({ scenario, text }) => ({
      name: scenario.name,
      description: descriptionOf(scenario) ?? '',
      advice: adviceOf(scenario) ?? '',
      about: scenario.about ?? null,
      steps: scenario.steps.length,
      text,
    })),
  }),
})

const problemRecord = record('ScenarioProblem', 'Something wrong at a place of a scenario file.', () =>
  z.object({
    line: z.number().describe('from 1'),
    column: z.number().describe('from 1'),
    message: z.string().describe('a sentence without a full stop'),
  }),
)

export const checkScenario = action({
  route: { method: 'POST', path: '/scenarios/check' },
  summary: 'Check the text of a scenario file, YAML or JSON, as `backlot check` does; nothing is played',
  input: z.strictObject({ text: z.string() }),
  example: { text: 'name: mine\ndescription: Mine.\nsteps:\n  - then: { answer: { status: 503 } }\n' },
  output: () =>
    z.object({
      problems: z
        .array(problemRecord())
        .describe('all of them, in the order of the file; empty: it can be played'),
      document: z
        .looseObject({})
        .nullable()
        .describe('the document of the file, to be played; null: it is not valid'),
    }),
  recordedAs: 'nothing',
  run: async ({ scenarios }, _key, { text }) => {
    const checked = await scenarios.check(text)
    if ('scenario' in checked) return { problems: [], document: { ...documentOf(checked.scenario) } }
    return { problems: checked.diagnostics.map((diagnostic) => ({ ...diagnostic })), document: null }
  },
})

export const readScenarioWords = action({
  route: { method: 'GET', path: '/scenarios/words' },
  summary:
    'Everything that a scenario file may say, for editors: its JSON Schema, and the names that it may use',
  input: nothing,
  output: () =>
    z.object({
      schema: z.looseObject({}),
      operations: z.array(z.string()),
      families: z.array(z.string()),
      models: z.array(z.string()),
      errors: z.record(z.string(), z.array(z.string())).describe('by family'),
    }),
  run: ({ catalogue: { operations, families } }) => ({
    schema: { ...toJsonSchema(scenarioSchema, 'input') },
    operations: [...operations],
    families: families.map(({ id }) => id),
    models: [...new Set(families.flatMap(({ models }) => models))],
    errors: Object.fromEntries(families.map(({ id, errors }) => [id, [...errors]])),
  }),
})
