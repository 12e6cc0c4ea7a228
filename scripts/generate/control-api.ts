import type { AnyAction } from '../../src/emulator/control/action.js'
import { accountActions } from '../../src/emulator/control/actions/account.js'
import { callbackFilter } from '../../src/emulator/control/actions/callbacks.js'
import { clockActions } from '../../src/emulator/control/actions/clock.js'
import { actions } from '../../src/emulator/control/actions/index.js'
import { requestFilter } from '../../src/emulator/control/actions/requests.js'
import { taskFilter } from '../../src/emulator/control/actions/tasks.js'
import { type JsonSchema, schemaSet } from '../../src/emulator/core/json-schema.js'
import { withGapLinks } from './gap-links.js'
import { commentOf, declarationOf, type Printing, typeText } from './type-text.js'

const table: Readonly<Record<string, AnyAction>> = actions

const outputs = schemaSet(
  Object.fromEntries(Object.entries(table).map(([name, { output }]) => [name, output()])),
  'output',
  { hasTypes: true },
)
const { schemas: inputs } = schemaSet(
  Object.fromEntries(Object.entries(table).map(([name, { input }]) => [name, input])),
  'input',
  { hasTypes: true },
)

/** Inputs that are published under a name. */
const { schemas: namedInputs } = schemaSet(
  {
    ClockChange: clockActions['clock.change'].input.describe(
      'What to change of a clock. What is undefined stays as it is.',
    ),
    TaskFilter: taskFilter.describe('Which tasks; undefined matches everything.'),
    RequestFilter: requestFilter.describe('Which calls; undefined matches everything.'),
    CallbackFilter: callbackFilter.describe('Which callbacks; undefined matches everything.'),
    AccountChange: accountActions['account.change'].input.describe(
      'What to change of an account. What is undefined stays as it is.',
    ),
  },
  'input',
  { hasTypes: true },
)

const given: Printing = { takesUndefined: true, isReadonly: true }
const received: Printing = { takesUndefined: false, isReadonly: true }
const inCell: Printing = { takesUndefined: false, isInline: true }

/** The text of src/generated/control-api.ts. */
export const controlApiTypes = (): string =>
  [
    `// Written by \`npm run generate\` from src/emulator/control/actions. Change those.
import type { OperationName, OperationPattern, RulePattern, TaskFamilyName } from './names.js'
`,
    ...Object.entries(outputs.named).map(([name, schema]) => declarationOf(name, schema, received)),
    ...Object.entries(namedInputs).map(([name, schema]) => declarationOf(name, schema, given)),
  ].join('\n')

/** The text of src/generated/action-types.ts. */
export const actionTypes = (): string => {
  const entries = Object.entries(table).map(([name, { summary, document }]) => {
    const input = typeText(inputs[name] ?? {}, '    ', given)
    const output = typeText(outputs.schemas[name] ?? {}, '    ', received)
    return `  /** ${summary}. */
  ${propertyName(name)}: {
    readonly input: ${document === undefined ? input : `ScenarioDocument | ${input}`}
    readonly output: ${output}
  }
`
  })
  return `// Written by \`npm run generate\` from src/emulator/control/actions. Change those.
import type { ${namesIn(entries.join(''), [...Object.keys(outputs.named), ...Object.keys(namedInputs)])} } from './control-api.js'
import type { ErrorName, OperationName, OperationPattern, RulePattern, TaskFamilyName } from './names.js'
import type { ScenarioDocument } from './scenario-document.js'

/** The input and the output of every control action. */
export interface ActionTypes {
${entries.join('')}}
`
}

const namesIn = (text: string, names: readonly string[]): string =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ')

/** The text of src/generated/routes.ts. */
export const routesText =
  (): string => `// Written by \`npm run generate\` from src/emulator/control/actions. Change those.
import type { ActionTypes } from './action-types.js'

type Route = \`\${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /\${string}\`

/** The route of each control action, for clients that do not load an emulator. */
export const routes: Readonly<Record<keyof ActionTypes, Route>> = {
${Object.entries(table)
  .map(([name, { route }]) => `  ${propertyName(name)}: '${route.method} ${route.path}',\n`)
  .join('')}}

/** The text fields in the query of each action: what was no text looks like one there. */
export const queryTexts: Readonly<Partial<Record<keyof ActionTypes, readonly string[]>>> = {
${Object.keys(table)
  .map((name) => [name, queryTextsOf(name)] as const)
  .filter(([, fields]) => fields.length > 0)
  .map(([name, fields]) => `  ${propertyName(name)}: [${fields.map((field) => `'${field}'`).join(', ')}],\n`)
  .join('')}}
`

/** Fields in the query of an action that are text in each variant of its input. */
const queryTextsOf = (name: string): string[] => {
  const { method, path } = (table[name] as AnyAction).route
  if (method !== 'GET') return []
  const fields = (inputs[name]?.oneOf ?? [inputs[name] ?? {}]).flatMap(({ properties = {} }) =>
    Object.entries(properties),
  )
  const others = fields.filter(([, { type }]) => type !== 'string').map(([field]) => field)
  const names = new Set(fields.map(([field]) => field))
  return [...names].filter((field) => !others.includes(field) && !path.includes(`:${field}`))
}

const propertyName = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

const [BEGIN, END] = ['<!-- generated: actions -->', '<!-- end of generated -->']

/** docs/control-api.md with the tables as the actions have them. */
export const controlApiDoc = (page: string): string =>
  page.replace(new RegExp(`${BEGIN}[\\s\\S]*${END}`), () => `${BEGIN}\n${tables()}\n${END}`)

const tables = (): string => {
  const rows = Object.entries(table).flatMap(([name, action]) =>
    requestsOf(name, action).map((request, index) =>
      row([
        request,
        index === 0 ? withGapLinks(`${action.summary}.`) : '',
        index === 0 ? answerOf(name) : '',
      ]),
    ),
  )
  const named = Object.entries(outputs.named)
    .filter(([, { properties }]) => properties !== undefined)
    .map(([name, schema]) => recordTable(name, schema))
  return [
    '| Request | What it does | Answer |\n|---|---|---|',
    ...rows,
    '',
    'The names in the answers stand for these objects. A field with a question mark may be missing.',
    ...named,
  ].join('\n')
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

const requestsOf = (name: string, { route, example }: AnyAction): string[] => {
  const path = `${route.method} /_backlot${route.path.replace(/:(\w+)/g, '{$1}')}`
  const variants = inputs[name]?.oneOf ?? [inputs[name] ?? {}]
  return variants.map(({ properties = {} }) => {
    const fields = Object.keys(properties).filter((field) => !route.path.includes(`:${field}`))
    const inQuery = fields.filter((field) => example === undefined || field === 'all')
    const inBody = fields.filter((field) => !inQuery.includes(field))
    const query = inQuery.map((field) => `${field}=${valueIn(properties[field])}`)
    const body = inBody.map((field) => JSON.stringify(field)).join(',')
    return `\`${path}${query.length === 0 ? '' : `?${query.join('&')}`}\`${body === '' ? '' : ` \`{${body}}\``}`
  })
}

const valueIn = (schema: JsonSchema = {}): string => String(schema.const ?? '')

const answerOf = (name: string): string => {
  const schema = outputs.schemas[name] ?? {}
  return (schema.anyOf ?? [schema]).map((one) => `\`${shapeOf(one)}\``).join(' or ')
}

/** `{"items":[TaskRecord],"total"}`. */
const shapeOf = (schema: JsonSchema): string => {
  const { $ref, properties, items, type } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (items !== undefined) return `[${shapeOf(items)}]`
  if (properties === undefined) return type === 'string' ? 'text' : '…'
  const fields = Object.entries(properties).map(([name, field]) => {
    const hasShape = field.$ref !== undefined || field.items !== undefined
    return hasShape && shapeOf(field) !== '[…]' ? `"${name}":${shapeOf(field)}` : `"${name}"`
  })
  return `{${fields.join(',')}}`
}

const recordTable = (
  name: string,
  { description = '', properties = {}, required = [] }: JsonSchema,
): string => {
  const fields = Object.entries(properties).map(([field, schema]) =>
    row([
      `\`${field}\`${required.includes(field) || isUnknown(schema) ? '' : '?'}`,
      `\`${typeText(withoutTypes(schema), '', inCell)}\``,
      commentOf(schema),
    ]),
  )
  return `\n### ${name}\n\n${description}\n\n| Field | Type | What it is |\n|---|---|---|\n${fields.join('\n')}`
}

const isUnknown = (schema: JsonSchema): boolean => Object.keys(schema).every((key) => key === 'description')

const withoutTypes = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'x-type' ? undefined : value)))

/** The module of clients/python with the routes of the control actions as they are. */
export const pythonRoutes = (module: string): string =>
  withRoutes(module, '#', (lines) => [
    'ROUTES: Dict[str, str] = {',
    ...lines(([name, route]) => `    "${name}": "${route}",`),
    '}',
    '"""The route of each control action, below /_backlot."""',
  ])

/** The file of clients/go with the routes of the control actions as they are; gofmt lines up the values. */
export const goRoutes = (file: string): string =>
  withRoutes(file, '//', (lines) => {
    const width = Math.max(...Object.keys(table).map(({ length }) => length)) + '"": '.length
    return [
      '',
      '// Routes has the route of each control action, below /_backlot.',
      'var Routes = map[string]string{',
      ...lines(([name, route]) => `\t${`"${name}":`.padEnd(width)}"${route}",`),
      '}',
      '',
    ]
  })

type LineOf = (entry: readonly [name: string, route: string]) => string

/** A source file with other lines between its comments `generated: routes` and `end of generated`. */
const withRoutes = (
  file: string,
  comment: string,
  linesWith: (lines: (lineOf: LineOf) => string[]) => string[],
): string => {
  const [begin, end] = [`${comment} generated: routes\n`, `${comment} end of generated\n`]
  const lines = linesWith((lineOf) =>
    Object.entries(table).map(([name, { route }]) => lineOf([name, `${route.method} ${route.path}`])),
  )
  return file.replace(new RegExp(`${begin}[\\s\\S]*${end}`), () => `${begin}${lines.join('\n')}\n${end}`)
}
