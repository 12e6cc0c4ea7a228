import { schemaSet } from '../../src/emulator/core/json-schema.js'
import { accountSettingsSchema } from '../../src/emulator/core/settings.js'
import { settingAliases, settingsSchema } from '../../src/emulator/settings.js'
import { declarationOf, type Printing } from './type-text.js'

const printing: Printing = { takesUndefined: true, isReadonly: true }

/** The text of src/generated/emulator-settings.ts. */
export const settingsType = (): string => {
  const { schemas } = schemaSet(
    {
      OpeningAccount: accountSettingsSchema.describe(
        'What an account of the settings opens with. What is undefined is as in every other account.',
      ),
      EmulatorSettings: settingsSchema
        .extend(
          Object.fromEntries(
            [...settingAliases].map(([alias, name]) => [
              alias,
              settingsSchema.shape[name].describe(`@deprecated The former name of \`${name}\``),
            ]),
          ),
        )
        // What startEmulator has in place of the defaults of the command line.
        .extend({
          port: settingsSchema.shape.port
            .unwrap()
            .default(0)
            .describe(`${settingsSchema.shape.port.description}`),
          clock: settingsSchema.shape.clock
            .unwrap()
            .default('on-poll')
            .describe(`${settingsSchema.shape.clock.description}`),
        })
        .extend({
          stateDelayMs: settingsSchema.shape.stateDelayMs.describe(
            '@deprecated It has no effect: an answer waits until what it changed is written',
          ),
        })
        .partial()
        .describe(
          'Every setting of an emulator. What is undefined has its default. docs/settings.md says more.',
        ),
    },
    'input',
    { hasTypes: true },
  )
  return [
    `// Written by \`npm run generate\` from src/emulator/settings.ts. Change that.
import type { ScenarioName } from './names.js'
import type { ProfileDocument } from './profile-document.js'
import type { ScenarioDocument } from './scenario-document.js'

/** A scenario file: a path, or a name with the ending of such a file. */
export type ScenarioFile =
  | \`\${string}.\${'yaml' | 'yml' | 'json'}\`
  | \`\${string}/\${string}\`
  | \`\${string}\\\\\${string}\`

/** The name of a ready-made scenario, a file, or a document. Any other string has to be asserted: \`file as ScenarioFile\`. */
export type GivenScenario = ScenarioName | ScenarioFile | ScenarioDocument

/** A profile: a file in YAML, JSON, JavaScript or TypeScript, or the document itself. */
export type GivenProfile = string | ProfileDocument
`,
    ...Object.entries(schemas).map(([name, schema]) => declarationOf(name, schema, printing)),
  ].join('\n')
}

/** The text of src/generated/settings.ts. */
export const resolvedSettingsType = (): string => {
  const { schemas } = schemaSet(
    {
      Settings: settingsSchema.describe('All settings of an emulator, each with its value or its default.'),
    },
    'output',
  )
  return [
    '// Written by `npm run generate` from src/emulator/settings.ts. Change that.\n',
    ...Object.entries(schemas).map(([name, schema]) => declarationOf(name, schema, printing)),
  ].join('')
}
