import { allRules } from '../../src/emulator/control/rules.js'
import { builtIn } from '../../src/emulator/families/index.js'
import { quotaSpecs } from '../../src/emulator/quotas.js'
import { createLibrary } from '../../src/emulator/scenarios/library.js'
import { settingAliases, settingsSchema } from '../../src/emulator/settings.js'
import { errorCodes } from './error-codes.js'

const { catalogue, taskFamilies } = builtIn

/** The text of src/generated/names.ts. */
export const namesText = async (): Promise<string> => {
  const families = catalogue.families.map(({ id }) => id)
  const unions: readonly (readonly [string, string, readonly string[], outside?: string])[] = [
    ['OperationName', 'An operation of the service.', catalogue.operations, 'OutsideOperation'],
    [
      'FamilyName',
      'A family of operations; `results` are the downloads of results.',
      families,
      'OutsideFamily',
    ],
    [
      'TaskFamilyName',
      'A family whose creates make tasks.',
      taskFamilies.map(({ id }) => id),
      'OutsideFamily',
    ],
    [
      'ErrorName',
      'An error of any family, by its name in the table of the family.',
      unique(catalogue.families.flatMap(({ errors }) => errors)),
      'OutsideError',
    ],
    [
      'ModelName',
      'A model of any family.',
      unique(catalogue.families.flatMap(({ models }) => models)),
      'OutsideModel',
    ],
    ['ScenarioName', 'A ready-made scenario.', await createLibrary().names()],
    ['SettingName', 'A setting.', Object.keys(settingsSchema.shape)],
    ['QuotaName', 'A quota of the emulator, as refusals carry it.', Object.keys(quotaSpecs)],
    ['EmulatorErrorCode', 'Code of an `EmulatorError`: the same from version to version.', errorCodes()],
  ]
  return [
    '// Written by `npm run generate` from the families, the rules, the scenarios, the settings, the quotas and the errors. Change those.\n',
    ...unions.map(
      ([name, description, members, outside]) =>
        `/** ${description} */\nexport type ${name} =${[...members].map((member) => `\n  | '${member}'`).join('')}${outside === undefined ? '' : `\n  | ${outside}`}\n`,
    ),
    outsideNames,
    '/** The errors of each family, by their names in its table. */',
    `export interface ErrorNames {${catalogue.families
      .map(
        ({ id, errors }) =>
          `\n  readonly '${id}': ${errors.length === 0 ? 'never' : errors.map((name) => `'${name}'`).join(' | ')}`,
      )
      .join('')}\n}\n`,
    '/** An error of the family of an operation, or of a pattern of operations. */',
    'export type ErrorNameOf<Pattern extends string> = ' +
      `Pattern extends \`\${infer Family}.\${string}\` ? (Family extends keyof ErrorNames ? ErrorNames[Family] : OutsideError) : never\n`,
    '/** Rules, as the journal and `GET /_backlot/rules` name them. A value too: the matchers refuse a misspelt one. */',
    `export const ruleIds = [${allRules(builtIn)
      .map(({ id }) => `\n  '${id}',`)
      .join('')}\n] as const\n`,
    '/** A rule, as the journal and `GET /_backlot/rules` name it. */',
    `export type RuleId = (typeof ruleIds)[number] | \`\${OutsideFamily}.\${string}\`\n`,
    '/** Settings and their former names. A value: the helpers for tests refuse a misspelt one without loading the schema. */',
    `export const settingNames: readonly string[] = [${[
      ...Object.keys(settingsSchema.shape),
      ...settingAliases.keys(),
    ]
      .map((name) => `\n  '${name}',`)
      .join('')}\n]\n`,
    '/** An operation, or all of a family: `b-video-task.*`. Those of `routes` are of a profile. */',
    `export type OperationPattern = OperationName | \`\${FamilyName}.*\` | \`routes.\${string}\`\n`,
    '/** A rule, or the beginning of some: `a-image.schema`. */',
    'export type RulePattern = RuleId | BeginningOf<RuleId>\n',
    'type BeginningOf<Id extends string> = ' +
      `Id extends \`\${infer Head}.\${infer Tail}\` ? Head | \`\${Head}.\${BeginningOf<Tail>}\` : never\n`,
  ].join('\n')
}

/** Types of the names of families from outside, which their authors declare. */
const outsideNames = `declare global {
  /**
   * Families from outside, by their ids. What is declared here is known wherever operations, families, models, errors and rules
   * are named: \`declare global { interface BacklotFamilies { 'acme-sketch': typeof sketch } }\`.
   */
  interface BacklotFamilies {}
}

type OutsideFamily = Extract<keyof BacklotFamilies, string>
type OutsideOperation = {
  [Id in OutsideFamily]: BacklotFamilies[Id] extends { readonly api: { readonly operations: infer Verbs } }
    ? \`\${Id}.\${Extract<keyof Verbs, string>}\`
    : never
}[OutsideFamily]
type OutsideError = {
  [Id in OutsideFamily]: BacklotFamilies[Id] extends { readonly errors: infer Errors }
    ? Extract<keyof Errors, string>
    : never
}[OutsideFamily]
type OutsideModel = {
  [Id in OutsideFamily]: BacklotFamilies[Id] extends { readonly models: readonly (infer Model)[] }
    ? Extract<Model, string>
    : never
}[OutsideFamily]
`

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]
