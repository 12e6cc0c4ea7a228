import { z } from 'zod'
import { allRules } from '../../src/emulator/control/rules.js'
import { type JsonSchema, namedSchemas } from '../../src/emulator/core/json-schema.js'
import { builtIn } from '../../src/emulator/families/index.js'
import { profileSchema } from '../../src/emulator/profile/schema.js'
import { declarationOf, type Printing } from './type-text.js'

type Json = Record<string, unknown>

/** Keys whose objects are by name, with the names that editors complete. Others can be written all the same. */
const namesOf = (): Readonly<Record<string, readonly string[]>> => {
  const { families, taskFamilies, operations } = builtIn
  const ids = families.map(({ id }) => id)
  const reporting = taskFamilies.filter(({ callback }) => callback !== undefined).map(({ id }) => id)
  return {
    models: taskFamilies.flatMap(({ models }) => models),
    paths: [...new Set(operations.map(({ route }) => route.path.split('/')[1] ?? ''))],
    errors: ids,
    cases: ids,
    rules: allRules(builtIn).map(({ id }) => id),
    answers: [...operations.map(({ id }) => id), ...reporting.map((id) => `${id}.callback`)],
    timing: taskFamilies.map(({ id }) => id),
    callbacks: reporting,
  }
}

/** The text of schemas/profile.schema.json, for editors: it completes keys and names, and the emulator checks the rest. */
export const profileSchemaText = (): string => {
  const schema = z.toJSONSchema(profileSchema, { io: 'input', target: 'draft-7' }) as Json & {
    properties: Record<string, Json>
    definitions?: Json
  }
  const definitions: Json = { ...schema.definitions }
  for (const [key, names] of Object.entries(namesOf())) {
    const part = schema.properties[key] as Json
    definitions[key] = part.additionalProperties
    const reference = { $ref: `#/definitions/${key}` }
    part.properties = Object.fromEntries([...new Set(names)].map((name) => [name, reference]))
    part.additionalProperties = reference
  }
  const head = { title: 'Backlot profile', description: 'What is different in your service.' }
  return `${JSON.stringify({ ...head, ...schema, definitions }, null, 2)}\n`
}

const printing: Printing = { takesUndefined: true, hasReadonlyLists: true }

const { models, answers, timing, callbacks, routes } = profileSchema.shape

/** The text of src/generated/profile-document.ts. */
export const profileType = (): string => {
  const schemas = namedSchemas(
    {
      ProfileDocument: profileSchema,
      ProfileModel: models.unwrap().valueType,
      ProfileAnswer: answers.unwrap().valueType,
      ProfileTiming: timing.unwrap().valueType,
      ProfileCallbacks: callbacks.unwrap().valueType,
      ProfileRoute: routes.unwrap().element,
    },
    'input',
  )
  return [
    `// Written by \`npm run generate\` from src/emulator/profile/schema.ts. Change that.
`,
    ...Object.entries(schemas).map(([name, schema]) =>
      declarationOf(name, { ...schema, ...descriptions[name] } as JsonSchema, printing),
    ),
  ].join('\n')
}

const descriptions: Readonly<Record<string, { readonly description: string }>> = {
  ProfileDocument: {
    description: 'A profile: what is different in your service, as data. docs/profiles.md says more.',
  },
  ProfileModel: { description: 'A model, by what differs from the one that it is like.' },
  ProfileAnswer: { description: 'How an answer differs. Fields are named by their paths.' },
  ProfileTiming: { description: 'How long the tasks of a family wait and run.' },
  ProfileCallbacks: { description: 'How a family sends its callbacks.' },
  ProfileRoute: { description: 'An endpoint beside the families, which the profile answers or forwards.' },
}
