import { z } from 'zod'
import { EmulatorError } from '../../src/emulator/core/errors.js'
import {
  adviceOf,
  descriptionOf,
  type Scenario,
  scenarioSchema,
} from '../../src/emulator/core/scenario/schema.js'
import type { Catalogue } from '../../src/emulator/core/scenario/selector.js'
import { builtIn } from '../../src/emulator/families/index.js'
import { createLibrary } from '../../src/emulator/scenarios/library.js'
import { type Fared, tryClient } from './try-client.js'

const { catalogue } = builtIn

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON Schema of scenario files, for editors: it completes keys and names, and the emulator checks the rest. */
export const scenarioJsonSchema = ({ operations, families }: Catalogue): JsonSchema => {
  const names: Readonly<Record<string, readonly string[]>> = {
    operation: [...operations, ...new Set(operations.map((name) => name.replace(/\.\w+$/, '.*')))],
    family: families.map(({ id }) => id),
    model: [...new Set(families.flatMap(({ models }) => models))],
    error: [...new Set(families.flatMap(({ errors }) => errors))],
  }
  const schema = z.toJSONSchema(scenarioSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema, path }) => {
      const known = names[String(path.findLast((step) => Object.hasOwn(names, String(step))))]
      if (known !== undefined && jsonSchema.type === 'string') jsonSchema.enum = [...known]
    },
  })
  return { title: 'Backlot scenario', description: 'What goes wrong, and when.', ...schema }
}

const INTRODUCTION = `# Ready-made scenarios

<!-- Written by npm run generate -- --all from scenarios/ and a run of fixtures/clients/polling-client.mjs. -->

Each is a file in [scenarios/](../scenarios) and is played by its name:

\`\`\`
backlot start --scenario callback-lost
\`\`\`

\`\`\`ts
const emulator = await startEmulator({ scenario: 'callback-lost' })   // for every account, from the start
await emulator.scenario.play('callback-lost')                         // for one account, from now on
\`\`\`

For a single call, send the header \`X-Backlot-Scenario: callback-lost\`. \`backlot scenarios callback-lost\` prints one as a
file to begin with; [scenarios.md](scenarios.md) says how to write your own.

Each says what it is about (the create, the poll, the callback, the result, or the money), and whether it is survivable: whether a
client can still get what it ordered within one run of its tests. Calls are counted by account, over all its tasks: the first
download is the first one of the account.
`

const SURVIVAL = `
## What a simple client survives

[polling-client.mjs](../fixtures/clients/polling-client.mjs) creates a task of family B, asks until it is over and downloads
the result. It tries nothing again and has no time limits. Here it makes three videos, one after the other, while a
scenario plays; a dash says that the scenario has nothing to do with what this client does (it neither uploads assets nor
listens to callbacks).

| Scenario | Videos | What happens |
|---|---|---|
`

/**
 * The text of docs/scenario-library.md.
 * @throws EmulatorError `bad-scenario`: a file cannot be played, or lacks what only ready-made scenarios must have
 */
export const scenarioLibraryDoc = async (library = createLibrary()): Promise<string> => {
  const scenarios = await Promise.all((await library.names()).map(library.read))
  const incomplete = scenarios.flatMap(lackOf)
  if (incomplete.length > 0) throw new EmulatorError(incomplete.join('\n'), { code: 'bad-scenario' })
  const rows: string[] = []
  for (const scenario of scenarios) rows.push(row(scenario, await tryClient(scenario)))
  return `${INTRODUCTION}${scenarios.map(section).join('')}${SURVIVAL}${rows.join('\n')}\n`
}

const lackOf = (scenario: Scenario): string[] => {
  const { name, about, survivable } = scenario
  const needed = { advice: adviceOf(scenario), about, survivable }
  const keys = Object.entries(needed).flatMap(([key, value]) => (value === undefined ? [key] : []))
  return keys.length === 0 ? [] : [`scenarios/${name}.yaml must have ${keys.join(', ')}.`]
}

const section = (scenario: Scenario): string => `
## ${scenario.name}

${descriptionOf(scenario)?.trim()}

**A robust client** ${uncapitalised(adviceOf(scenario)?.trim() ?? '')}

About: ${scenario.about}. Survivable: ${survivableText(scenario.survivable)}.
`

const uncapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const row = ({ name }: Scenario, { wasTouched, troubles }: Fared): string => {
  const got = troubles.filter((trouble) => trouble === undefined).length
  const what = [...new Set(troubles.flatMap((trouble) => trouble ?? []))].join('; ')
  const link = `[${name}](#${name})`
  if (!wasTouched) return `| ${link} | – | |`
  return `| ${link} | ${got} of ${troubles.length} |${what === '' ? '' : ` ${what}`} |`
}

/** The text of scenarios/scenario.schema.json. */
export const scenarioSchemaText = (): string => `${JSON.stringify(scenarioJsonSchema(catalogue), null, 2)}\n`

const survivableText = (survivable: Scenario['survivable']): string =>
  typeof survivable === 'object' ? `in ${survivable.join(', ')} alone` : survivable === true ? 'yes' : 'no'
