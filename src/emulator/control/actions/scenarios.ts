import { z } from 'zod'
import { counted } from '../../core/count-words.js'
import { ControlError } from '../../core/errors.js'
import { toJsonSchema } from '../../core/json-schema.js'
import { type Account, beginRun } from '../../core/model/account.js'
import { stepStatusesOf } from '../../core/scenario/explain.js'
import {
  adviceOf,
  descriptionOf,
  documentOf,
  scenarioSchema,
  scenarioSubjects,
} from '../../core/scenario/schema.js'
import { isoOf } from '../../core/schedule/time.js'
import { action, type ControlContext, itemsOf, namedObject, noInput } from '../action.js'

export const scenarioResultRecord = namedObject(
  'PlayedRecord',
  'What scenarios had to do with a call or a message.',
  () => ({
    acted: z
      .object({
        scenario: z.string(),
        step: z.number().describe('from 1'),
        says: z.string().nullable(),
        effects: z
          .array(z.string())
          .describe('its effects, as its file names them: `answer.error`, `transport.hang`'),
      })
      .nullable()
      .describe('the step that acted; null: none did'),
    nearMisses: z
      .array(z.object({ scenario: z.string(), step: z.number(), why: z.string() }))
      .describe('steps that could have acted, each with why it did not'),
  }),
)

export const stepRecord = namedObject('ScenarioStepRecord', 'The status of a step of a scenario.', () => ({
  step: z.number().describe('from 1'),
  says: z.string().nullable(),
  seen: z.number().describe('matching calls so far'),
  acted: z.number().describe('calls on which it acted'),
  times: z.number().nullable().describe('maximum number of times that it acts; null: no limit'),
  required: z.boolean(),
  lastMiss: z
    .string()
    .nullable()
    .describe('why it did not act on the latest call of its operations; null: it acted, or there was none'),
}))

const runRecord = namedObject('PlayingScenario', 'A scenario that plays for an account.', () => ({
  name: z.string(),
  says: z.string(),
  since: z.string().describe('when it began'),
  steps: z.array(stepRecord()),
}))

/** Scenario runs of an account with the status of their steps, in the order in which they are tried. */
export const runRecordsOf = ({ playing }: Account) => ({
  items: playing.map((run) => ({
    name: run.scenario.name,
    says: descriptionOf(run.scenario) ?? '',
    since: isoOf(run.since),
    steps: stepStatusesOf([run]).map(({ scenario: _, ...step }) => step),
  })),
})

const libraryRecord = namedObject('ReadyMadeScenario', 'A scenario that comes with the package.', () => ({
  name: z.string(),
  description: z.string(),
  advice: z.string().describe('what a robust client does about it'),
  about: z
    .enum(scenarioSubjects)
    .nullable()
    .describe('the part of an integration that it tests; null: it does not say'),
  steps: z.number(),
  text: z.string().describe('its file, YAML'),
}))

const problemRecord = namedObject(
  'ScenarioProblem',
  'Something wrong at a place of a scenario file.',
  () => ({
    line: z.number().describe('from 1'),
    column: z.number().describe('from 1'),
    message: z.string().describe('a sentence without a full stop'),
  }),
)

export const scenarioActions = {
  'scenarios.list': action({
    route: { method: 'GET', path: '/scenarios' },
    summary: 'The ready-made scenarios, in alphabetical order',
    input: noInput,
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
  }),
  'scenarios.words': action({
    route: { method: 'GET', path: '/scenarios/words' },
    summary:
      'Everything that a scenario file may say, for editors: its JSON Schema, and the names that it may use',
    input: noInput,
    output: () =>
      z.object({
        schema: z.looseObject({}),
        operations: z.array(z.string()),
        families: z.array(z.string()),
        models: z.array(z.string()),
        errors: z.record(z.string(), z.array(z.string())).describe('by family'),
        statuses: z
          .record(z.string(), z.record(z.string(), z.number()))
          .describe('the HTTP status of each error, by family'),
      }),
    run: ({ registry: { catalogue, families } }) => ({
      schema: { ...toJsonSchema(scenarioSchema, 'input') },
      operations: [...catalogue.operations],
      families: catalogue.families.map(({ id }) => id),
      models: [...new Set(catalogue.families.flatMap(({ models }) => models))],
      errors: Object.fromEntries(catalogue.families.map(({ id, errors }) => [id, [...errors]])),
      statuses: Object.fromEntries(families.map(({ id, errors }) => [id, statusesOf(errors)])),
    }),
  }),
  'scenarios.check': action({
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
  }),
  'scenario.read': action({
    route: { method: 'GET', path: '/scenario' },
    summary:
      'The scenarios that play for the account, in the order in which they are tried, with the status of each step',
    input: noInput,
    output: () => itemsOf(runRecord()),
    run: ({ store }, key) => store.read(key, runRecordsOf),
  }),
  'scenario.play': action({
    route: { method: 'PUT', path: '/scenario' },
    summary:
      'Play a scenario: a document, or the name of a ready-made one or of one given at the start. It is tried before those that play already; one of the same name begins anew',
    input: z.looseObject({ name: z.string({ error: 'the name of a scenario, or a whole document' }) }),
    document: async () => scenarioSchema,
    example: { name: 'one-failed-poll' },
    output: () => itemsOf(runRecord()),
    recordedAs: async (_, input, { scenarios }) => {
      if (!isNameAlone(input)) return { input }
      return { input: { ...documentOf(await scenarios.named(input.name)) } }
    },
    run: async (context, key, input) => {
      const { scenarios, store, settings } = context
      const scenario = await (isNameAlone(input)
        ? scenarios.named(input.name)
        : scenarios.fromDocument(input))
      return store.transact(key, (account, now) => {
        const others = account.playing.filter((run) => run.scenario.name !== scenario.name)
        if (others.length >= settings.maxScenarios) throw tooManyPlay(context)
        account.playing = [beginRun(scenario, settings.seed, now), ...others]
        return runRecordsOf(account)
      })
    },
  }),
  'scenario.stop': action({
    route: { method: 'DELETE', path: '/scenario' },
    summary: 'Stop one scenario by its name, or all. Those given at the start come back with a reset',
    input: z.strictObject({ name: z.string().optional() }),
    output: () => itemsOf(runRecord()),
    run: ({ store }, key, { name }) =>
      store.transact(key, (account) => {
        if (name !== undefined && !account.playing.some(({ scenario }) => scenario.name === name))
          throw notPlaying(name, account)
        account.playing =
          name === undefined ? [] : account.playing.filter(({ scenario }) => scenario.name !== name)
        return runRecordsOf(account)
      }),
  }),
}

const statusesOf = (errors: Readonly<Record<string, { readonly status: number }>>) =>
  Object.fromEntries(Object.entries(errors).map(([name, { status }]) => [name, status]))

const isNameAlone = (input: object): boolean => Object.keys(input).length === 1

const tooManyPlay = ({ quotas, settings: { maxScenarios } }: ControlContext): ControlError => {
  quotas.refuse('scenarios')
  return new ControlError(429, 'too-many-scenarios', {
    message: `${counted(maxScenarios, 'scenario plays', 'scenarios play')} for this account, and the setting maxScenarios is ${maxScenarios}.`,
    hint: 'Stop some of them (DELETE /_backlot/scenario), or raise the setting.',
  })
}

const notPlaying = (name: string, { playing }: Account): ControlError =>
  new ControlError(404, 'not-playing', {
    message: `No scenario ${JSON.stringify(name)} plays for this account.`,
    hint:
      playing.length === 0
        ? 'None plays.'
        : `There are: ${playing.map(({ scenario }) => scenario.name).join(', ')}.`,
  })
