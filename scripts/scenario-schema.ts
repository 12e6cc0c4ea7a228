import { z } from 'zod'
import type { Catalogue } from '../src/core/scenario/check/catalogue.js'
import { scenarioSchema } from '../src/core/scenario/scenario.js'

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
