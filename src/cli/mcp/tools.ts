import { isRecord } from '../../emulator/surface/journal.js'
import { DEFAULT_KEY } from '../../emulator/surface/records.js'
import { type DescribedAction, describeActions, type JsonSchema } from '../../emulator/surface/starting.js'
import type { Target } from './target.js'
import { type ActionName, actionsByTool, type ToolDeclaration } from './tool-table.js'

/** A tool as a client of the Model Context Protocol gets it. */
interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: ObjectSchema
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

interface ObjectSchema {
  readonly [key: string]: unknown
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required?: string[]
}

/** A tool with what a call of it does. */
export interface RunnableTool extends Tool {
  /** Resolves with a value that is sent as JSON. @throws EmulatorError that says what is wrong with the input */
  readonly run: (input: Readonly<Record<string, unknown>>) => Promise<unknown>
}

/** The tools of a target: one for each control action that is offered, then those that no action is behind. */
export const toolsOf = async (target: Target): Promise<readonly RunnableTool[]> => {
  const described = await describeActions()
  return [
    connectionTool(target),
    ...[...actionsByTool].map(([name, declared]) => actionTool(target, name, declared, described)),
    coverageTool(target),
  ]
}

/** The tools as they describe themselves, for the documentation: no emulator runs. */
export const describedTools = async (): Promise<readonly Tool[]> => toolsOf(nowhere)

const unused = (): never => {
  throw new Error('There is no emulator behind these tools.')
}
const nowhere: Target = {
  place: { url: '', isOwn: false },
  ...{ transport: unused, bases: unused, coverage: unused, stop: unused },
}

const actionTool = (
  target: Target,
  name: string,
  declared: { readonly action: ActionName } & ToolDeclaration,
  described: Readonly<Record<ActionName, DescribedAction>>,
): RunnableTool => {
  const { action, changes } = declared
  const { summary, input } = described[action]
  const isLong = hasWholeList(action)
  const schema = objectOf(input)
  return {
    name,
    // The letters of gaps say nothing without their table.
    description: [`${summary.replaceAll(/ \(gap \w+\)/g, '')}.`, changes ?? 'Changes nothing.'].join(' '),
    inputSchema: {
      ...schema,
      properties: {
        ...withLimit(schema.properties, declared.limit),
        ...(isLong ? { search: SEARCH } : {}),
        account: ACCOUNT,
      },
    },
    annotations: annotationsOf(action, declared),
    run: async ({ account = DEFAULT_KEY, search, ...given }) => {
      const limit = declared.limit === undefined ? {} : { limit: declared.limit }
      const answer = await target.transport(String(account))(action, { ...limit, ...given } as never)
      return isLong ? shortened(answer, search, declared.longFields) : answer
    },
  }
}

const annotationsOf = (title: string, declared: ToolDeclaration): Tool['annotations'] => ({
  title,
  readOnlyHint: declared.changes === undefined,
  destructiveHint: declared.isDestructive === true,
  idempotentHint: declared.changes === undefined || declared.isIdempotent === true,
  openWorldHint: declared.callsOut === true,
})

const ACCOUNT: JsonSchema = {
  type: 'string',
  description: `the API key of the account; default: ${DEFAULT_KEY}, that of calls without a key`,
}
const SEARCH: JsonSchema = {
  type: 'string',
  description: 'only the items that hold this text, in any case, and these with all their fields',
}

/** Actions whose lists have no paging, since they are tables of the emulator. */
const hasWholeList = (action: ActionName): boolean =>
  ['operations.list', 'rules.list', 'gaps.list', 'scenarios.list', 'fixtures.list'].includes(action)

/** Most characters of a list: about what a model reads without losing much of its context. */
const MAX_LIST_LENGTH = 20_000

/**
 * A list of which a client can read the beginning: the items that hold the text, without their long fields where no text was given,
 * and no more than there is room for. `more` counts the others.
 */
const shortened = (answer: unknown, search: unknown, longFields: readonly string[] = []): unknown => {
  const { items } = answer as { readonly items: readonly Readonly<Record<string, unknown>>[] }
  const text = typeof search === 'string' ? search.toLowerCase() : undefined
  const found = items.filter(
    (item) => text === undefined || JSON.stringify(item).toLowerCase().includes(text),
  )
  const shown = found.map((item) => (text === undefined ? without(item, longFields) : item))
  let length = 0
  const fitting = shown.filter((item, index) => {
    length += JSON.stringify(item).length
    return index === 0 || length <= MAX_LIST_LENGTH
  })
  const more = shown.length - fitting.length
  const hint = 'Narrow it down with search.'
  return { items: fitting, total: found.length, ...(more === 0 ? {} : { more, hint }) }
}

const without = (item: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)))

/** Schema of one object: the fields of all variants together, since many clients take no other schema for a tool. */
const objectOf = ({
  oneOf,
  properties = {},
  required = [],
  additionalProperties,
}: JsonSchema): ObjectSchema => {
  const variants = oneOf ?? []
  const merged = variants.flatMap((variant) => Object.entries(variant.properties ?? {}))
  const kinds = variants.flatMap((variant) => variant.properties?.for?.const ?? [])
  const inAll = variants[0]?.required?.filter((name) => variants.every((one) => one.required?.includes(name)))
  const fields = { ...properties, ...Object.fromEntries(merged) }
  const needed = [...required, ...(inAll ?? [])]
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [
        name,
        name === 'for' && kinds.length > 0 ? { type: 'string', enum: kinds } : plain(schema),
      ]),
    ),
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(isRecord(additionalProperties) ? { additionalProperties: true } : {}),
  }
}

/** A field without what only the published types need; a switch as a boolean, which in a URL may be a word. */
const plain = ({ 'x-type': _, ...schema }: JsonSchema): JsonSchema =>
  schema.anyOf?.some(({ type }) => type === 'boolean')
    ? { type: 'boolean', description: schema.description?.replace(/^.*?: /, '') }
    : schema

const withLimit = (
  properties: ObjectSchema['properties'],
  limit: number | undefined,
): ObjectSchema['properties'] =>
  limit === undefined || properties.limit === undefined
    ? properties
    : { ...properties, limit: { ...properties.limit, default: limit } }

const NO_INPUT: ObjectSchema = { type: 'object', properties: {} }
const READS = annotationsOf('', {})

/** Where the emulator is, which no action says: a client that has joined one knows only its own configuration. */
const connectionTool = (target: Target): RunnableTool => ({
  name: 'connection',
  description:
    'The URL of the emulator, and the base URL of each family to configure a client with. Changes nothing.',
  inputSchema: NO_INPUT,
  annotations: { ...READS, title: 'connection' },
  run: async () => ({ ...target.place, bases: await target.bases() }),
})

const coverageTool = ({ coverage }: Target): RunnableTool => ({
  name: 'coverage_gaps',
  description:
    'What of the service was never exercised: operations, rules, errors, statuses, callbacks, each with a remedy; first those that a client is likeliest to meet. Of the calls to this emulator, or of the report of `backlot coverage --json FILE` that is named. Changes nothing.',
  inputSchema: {
    type: 'object',
    properties: {
      report: {
        type: 'string',
        description:
          'a file that `backlot coverage --json` has written, or a folder of BACKLOT_COVERAGE; default: the calls to this emulator since its start',
      },
      kind: { type: 'string', description: 'rules, errors, statuses and so on; default: all kinds' },
      search: SEARCH,
    },
  },
  annotations: { ...READS, title: 'coverage' },
  run: async ({ report, kind, search }) => {
    const { families, kinds, likeliest, uncovered } = await coverage(
      typeof report === 'string' ? report : undefined,
    )
    const items = uncovered.filter((point) => kind === undefined || point.kind === kind)
    return { families, kinds, likeliest, ...(shortened({ items }, search) as object) }
  },
})
