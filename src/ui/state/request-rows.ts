import type {
  CallbackRecord,
  PlayedRecord,
  PlayingScenario,
  RefusalRecord,
  RequestRecord,
} from '../../generated/control-api.js'
import { memoize } from './memoize.js'

/** A row of the list of requests: one call, or several polls of one task that were answered alike. */
export interface RequestRow {
  /** That of the newest call of the row. */
  readonly id: string
  readonly request: RequestRecord
  readonly count: number
}

/** Whether a step of a scenario acted on a call. */
export const hasScenarioActed = ({ scenario }: { readonly scenario: PlayedRecord | null }): boolean =>
  scenario !== null && scenario.acted !== null

/** Whether no step of a scenario can act any more. */
export const isUsedUp = ({ steps }: PlayingScenario): boolean =>
  steps.every(({ acted, times }) => times !== null && acted >= times)

/** Whether a call only asks for the status of a task or of the job of an asset. */
export const isPoll = ({ operation, status }: RequestRecord): boolean =>
  /\.(read|resolve)$/.test(operation ?? '') && status < 400

/** Whether a call was refused, by a rule or by a scenario. */
export const isProblem = ({ status, refusedBy, connection }: RequestRecord): boolean =>
  status >= 400 || refusedBy.length > 0 || connection !== undefined

/** What a refused call has in common with others that were refused for the same reason. */
export const problemKind = ({
  operation,
  refusedBy,
  connection,
  status,
  scenario,
}: RequestRecord): string => {
  const { acted = null } = scenario ?? {}
  const reason = acted === null ? (refusedBy[0]?.rule ?? connection ?? status) : acted.scenario
  return `${operation ?? 'no operation'} ${reason}`
}

/** What an undelivered callback has in common with others: its receiver and the answer to it. */
export const undeliveredKind = ({ url, state, attempts }: CallbackRecord): string =>
  `${url} ${state} ${attempts.at(-1)?.status ?? attempts.at(-1)?.outcome}`

/** Whether a receiver has not taken a callback, or has refused it at least once. */
export const isUndelivered = ({ state, attempts }: CallbackRecord): boolean =>
  state === 'failed' || state === 'skipped' || (state === 'waiting' && attempts.length > 0)

/**
 * Folds polls: those of one task become one row as long as nothing but polls comes between them and they are answered with
 * the same status.
 * @param requests newest first, as the rows
 */
export const foldPolls = (requests: readonly RequestRecord[]): readonly RequestRow[] => {
  const rows: RequestRow[] = []
  /** Indexes of the rows that a later poll can join, by their key. */
  const openRows = new Map<string, number>()
  for (const request of requests) {
    const key = foldKey(request)
    const index = openRows.get(key)
    if (index !== undefined) {
      const row = rows[index] as RequestRow
      rows[index] = { ...row, count: row.count + 1 }
      continue
    }
    if (key === '') openRows.clear()
    else openRows.set(key, rows.length)
    rows.push(singleRow(request))
  }
  return rows
}

/** Key of the polls that become one row; empty: the call is none, or a scenario acted on it. */
const foldKey = memoize((request: RequestRecord): string =>
  !isPoll(request) || hasScenarioActed(request)
    ? ''
    : `${request.task ?? request.path + request.query} ${answeredStatus(request.answer)}`,
)

const singleRow = memoize((request: RequestRecord): RequestRow => ({ id: request.id, request, count: 1 }))

/** What became of a call that got no whole answer. */
const connectionWords = {
  reset: 'the connection was reset',
  'cut-off': 'the connection was cut off',
  'no-answer': 'no answer was sent',
} as const

/** The sentence of a call: why it was refused, or what came of it. */
export const sentenceOf = (request: RequestRecord): string => {
  const { refusedBy, scenario, connection, task, operation, path, answer } = request
  const [refusal] = refusedBy
  if (scenario?.acted != null) return `${effectOn(request, scenario.acted)}, by ${nameOf(scenario.acted)}`
  if (connection !== undefined) return capitalised(`${connectionWords[connection]}.`)
  if (refusal !== undefined) return refusalText(refusal)
  if (operation === null) return `No operation has the route ${path}.`
  const prompt = promptOf(request.body)
  // Isolated (U+2068, U+2069): a prompt that is written from right to left must not turn the id round.
  if (operation.endsWith('.create'))
    return [prompt && `\u2068${prompt}\u2069`, task].filter(Boolean).join(' · ') || path
  return [task ?? path, answeredStatus(answer)].filter(Boolean).join(' ')
}

export type ActedStep = NonNullable<PlayedRecord['acted']>

/** What a step of a scenario did to a call: the error that it was answered with, or what became of its connection. */
export const effectOn = (
  { status, connection, answer }: RequestRecord,
  { says, effects }: ActedStep,
): string => {
  const error = status < 400 ? undefined : firstText(answer, ['code', 'type', 'message'], 3)
  const done = connection === undefined ? error : connectionWords[connection]
  return says === null ? (done ?? effects.join(', ')) : [says, done && `(${done})`].filter(Boolean).join(' ')
}

const nameOf = ({ scenario, step }: ActedStep): string => `${scenario}, step ${step}`

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The sentence that explains a refusal. */
export const refusalText = ({ message, field, allowed }: RefusalRecord): string =>
  message ?? `${field ?? 'The call'} must be ${allowed ?? 'something else'}.`

/** The status that an answer states, wherever its family has it; empty: it states none, or those of a list. */
const answeredStatus = (answer: unknown): string =>
  firstText(answer, ['status', 'task_status', 'state'], 2) ?? ''

/** The prompt of a body, wherever its family has it, or undefined where there is none. */
export const promptOf = (body: unknown): string | undefined => firstText(body, ['prompt', 'text'], 7)

const MAX_NODES_PER_LEVEL = 200

/** The first text under one of the names, breadth first. */
const firstText = (value: unknown, names: readonly string[], maxDepth: number): string | undefined => {
  let level: unknown[] = [value]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const nodes = level.filter((node) => typeof node === 'object' && node !== null)
    const values = nodes.flatMap((node) => names.map((name) => (node as Record<string, unknown>)[name]))
    const text = values.find((found): found is string => typeof found === 'string' && found !== '')
    if (text !== undefined) return text
    level = nodes.flatMap((node): unknown[] => Object.values(node)).slice(0, MAX_NODES_PER_LEVEL)
  }
  return undefined
}

/** Whether a text stands in the path, the id, the task, the operation or the bodies of a call. */
export const matchesSearch = (request: RequestRecord, search: string): boolean =>
  search === '' || searchTextOf(request).includes(search.toLowerCase())

const searchTextOf = memoize((request: RequestRecord): string => {
  const { id, method, path, query, operation, task, status, body, answer, refusedBy } = request
  const content = JSON.stringify([body, answer, refusedBy])
  return [id, method, path, query, operation, task, status, content].join(' ').toLowerCase()
})
