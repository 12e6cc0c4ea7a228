import type { RequestRecord } from '../../generated/control-api.js'
import { remembered } from './remembered.js'

/** A row of the list of requests: one call, or several polls of one task that were answered alike. */
export interface RequestRow {
  /** The newest call of the row. */
  readonly request: RequestRecord
  readonly count: number
  readonly oldest: RequestRecord
}

/** Whether a call only asks for the status of a task. */
export const isPoll = ({ operation, status }: RequestRecord): boolean =>
  operation?.endsWith('.read') === true && status < 400

/** Whether a call was refused, by a rule or by a scenario. */
export const isProblem = ({ status, refusedBy, connection }: RequestRecord): boolean =>
  status >= 400 || refusedBy.length > 0 || connection !== undefined

/**
 * Folds polls: those of one task become one row as long as nothing but polls comes between them and they are answered with
 * the same status.
 * @param requests newest first, as the rows
 */
export const foldPolls = (requests: readonly RequestRecord[]): readonly RequestRow[] => {
  const rows: RequestRow[] = []
  const open = new Map<string, number>()
  for (const request of requests) {
    const group = pollGroup(request)
    const index = open.get(group)
    const row = index === undefined ? undefined : rows[index]
    if (group === '') open.clear()
    else if (index !== undefined && row !== undefined) {
      rows[index] = { ...row, count: row.count + 1, oldest: request }
      continue
    } else open.set(group, rows.length)
    rows.push(singleRow(request))
  }
  return rows
}

/** What polls that become one row have in common; empty: the call is none, or a scenario acted on it. */
const pollGroup = remembered((request: RequestRecord): string =>
  !isPoll(request) || request.scenario?.acted != null
    ? ''
    : `${request.task ?? request.path} ${answeredStatus(request.answer)}`,
)

const singleRow = remembered((request: RequestRecord): RequestRow => ({ request, count: 1, oldest: request }))

/** The sentence of a call: why it was refused, or what came of it. */
export const sentenceOf = (request: RequestRecord): string => {
  const { refusedBy, scenario, connection, task, operation, path, answer } = request
  const [refusal] = refusedBy
  if (scenario?.acted != null) {
    const { scenario: name, step, says, effects } = scenario.acted
    return `${name}, step ${step}: ${says ?? effects.join(', ')}`
  }
  if (connection !== undefined) return `The connection was ${connection}.`
  if (refusal !== undefined)
    return refusal.message ?? `${refusal.field ?? 'It'} must be ${refusal.allowed ?? 'something else'}.`
  if (operation === null) return `No operation has the route ${path}.`
  if (operation.endsWith('.create')) return [promptOf(request.body), task].filter(Boolean).join(' · ') || path
  return [task ?? path, answeredStatus(answer)].filter(Boolean).join(' ')
}

/** The status that an answer states, wherever its family has it; empty: it states none. */
const answeredStatus = (answer: unknown): string =>
  firstText(answer, ['status', 'task_status', 'state'], 3) ?? ''

/** The prompt of a body, wherever its family has it; undefined: there is none. */
export const promptOf = (body: unknown): string | undefined => firstText(body, ['prompt', 'text'], 7)

/** The first text under one of the names, breadth first. */
const firstText = (value: unknown, names: readonly string[], depth: number): string | undefined => {
  let level: unknown[] = [value]
  for (let at = 0; at < depth && level.length > 0; at += 1) {
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      for (const name of names) {
        const found = (one as Record<string, unknown>)[name]
        if (typeof found === 'string' && found !== '') return found
      }
      next.push(...Object.values(one))
    }
    level = next.slice(0, 200)
  }
  return undefined
}

/** Whether a text stands in the path, the id, the task, the operation or the bodies of a call. */
export const matchesSearch = (request: RequestRecord, search: string): boolean => {
  const wanted = search.trim().toLowerCase()
  return wanted === '' || searchTextOf(request).includes(wanted)
}

const searchTextOf = remembered((request: RequestRecord): string => {
  const { id, method, path, query, operation, task, status, body, answer, refusedBy } = request
  const content = JSON.stringify([body, answer, refusedBy])
  return [id, method, path, query, operation, task, status, content].join(' ').toLowerCase()
})
