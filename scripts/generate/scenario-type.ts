import { type JsonSchema, namedSchemas } from '../../src/emulator/core/json-schema.js'
import { thenSchema } from '../../src/emulator/core/scenario/effects/index.js'
import { scenarioSchema, stepSchema } from '../../src/emulator/core/scenario/schema.js'
import { whenSchema } from '../../src/emulator/core/scenario/selector.js'
import { declarationOf, type Printing } from './type-text.js'

const printing: Printing = { takesUndefined: true, hasReadonlyLists: true }

/** Fields that take names: those that exist are completed, and others can still be forced. */
const names: Readonly<Record<string, string>> = {
  operation: 'OperationPattern',
  family: 'FamilyName',
  model: 'ModelName',
  error: 'ErrorName',
}

const { answer, transport, task, asset, result, callback } = thenSchema.shape

/** The parts of a document that have a name of their own. */
const parts = {
  ScenarioStep: stepSchema,
  ScenarioSelector: whenSchema,
  ScenarioEffects: thenSchema,
  ScenarioAnswer: answer,
  ScenarioTransport: transport,
  ScenarioTask: task,
  ScenarioAsset: asset,
  ScenarioResult: result,
  ScenarioCallback: callback,
}

/** The text of src/generated/scenario-document.ts. */
export const scenarioType = (): string => {
  const schemas = namedSchemas({ ScenarioFields: scenarioSchema, ...parts }, 'input')
  return [
    `// Written by \`npm run generate\` from src/emulator/core/scenario/schema.ts. Change that.
import type { ErrorName, FamilyName, ModelName, OperationPattern } from './names.js'

/** \`250ms\`, \`10s\`, \`5m\`, \`24h\`, \`14d\`, or several joined: \`1h30m\`. */
export type DurationText = string

/**
 * A scenario as a file holds it: what goes wrong, and when. docs/scenarios.md says more. It has a \`description\`, or the
 * same under the old word \`says\`.
 */
export type ScenarioDocument = ScenarioFields & ({ description: string } | { says: string })
`,
    ...Object.entries(schemas).map(([name, schema]) =>
      declarationOf(name, withTypes({ ...schema, ...descriptions[name] }), printing),
    ),
  ].join('\n')
}

const descriptions: Readonly<Record<string, { readonly description: string }>> = {
  ScenarioFields: { description: 'The fields of a scenario.' },
  ScenarioStep: { description: 'A step of a scenario: when it acts, and what it does.' },
  ScenarioSelector: { description: 'When a step acts. Every part that is named has to hold.' },
  ScenarioEffects: {
    description: 'What a step does. Parts may stand together where they make sense for the call.',
  },
}

const withTypes = (schema: JsonSchema, field = ''): JsonSchema => {
  const { properties, items, anyOf, pattern, ...own } = schema
  if (own.type === 'string' && pattern?.includes('ms|s|m|h|d')) return { ...own, 'x-type': 'DurationText' }
  if (own.type === 'string' && names[field] !== undefined) return { ...own, 'x-type': names[field] }
  return {
    ...own,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => withTypes(one, field)) }),
    ...(items === undefined ? {} : { items: withTypes(items, field) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [name, withTypes(inner, name)]),
          ),
        }),
  }
}
