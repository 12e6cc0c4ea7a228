import { mapTexts } from '../../emulator/surface/journal.js'
import { builtIn, type Registry } from '../../emulator/surface/registry.js'
import type { ScenarioInput } from '../../emulator/surface/scenarios.js'
import { answeredId, fieldsOf, type ObservedCall } from './observed.js'

/** Repeatable call: one that can be sent to another emulator, with other ids and URLs. */
export interface RepeatableCall {
  readonly method: string
  /**
   * Path and query. They and the texts of the body hold placeholders: `{1}` for the id in the answer to the first call
   * of the list, `{url 1}` for the result in that answer, `{fixtures}` and `{hook}`.
   */
  readonly path: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
}

/** Repeatable calls: the calls on which the steps of a scenario act and those on which these depend, in order. */
export const repeatableCalls = (
  calls: readonly ObservedCall[],
  { steps }: ScenarioInput,
  registry: Registry = builtIn,
): RepeatableCall[] => {
  const needed = new Set<ObservedCall>()
  const indexes = new Map(calls.map((call, index) => [call, index]))
  const makers = makersIn(calls, registry)
  const need = (call: ObservedCall): void => {
    if (needed.has(call)) return
    needed.add(call)
    sourcesOf(call, indexes.get(call) ?? 0, calls, makers).forEach(need)
  }
  for (const { when = {} } of steps) {
    const operation = String(when.operation)
    for (const call of callsOf(operation, lastOf(when), calls)) need(call)
    if (!reportsCancel(when)) continue
    callsOf(operation.replace(/create$/, 'cancel'), lastOf(when), calls).forEach(need)
    calls.filter(({ path }) => path.startsWith('/_backlot/tasks/')).forEach(need)
  }
  const list = calls.filter((call) => needed.has(call))
  const listed = makersIn(list, registry)
  return list.map((call, index) => repeatable(call, index, list, listed))
}

type When = NonNullable<ScenarioInput['steps'][number]['when']>

// A callback is not counted in calls, so that all creates are made.
const lastOf = ({ nth, first, callback }: When): number =>
  callback === undefined ? Math.max(first ?? 0, ...[nth ?? 0].flat()) : Number.POSITIVE_INFINITY

const reportsCancel = ({ callback }: When): boolean =>
  typeof callback === 'object' && callback.status === 'cancelled'

const callsOf = (operation: string, last: number, calls: readonly ObservedCall[]): ObservedCall[] =>
  calls.filter((call) => call.operation === operation).slice(0, last)

type Maker = ReturnType<typeof makersIn>[number]

/** Calls that made something, each with its id and with its index among the calls. */
const makersIn = (calls: readonly ObservedCall[], registry: Registry) =>
  calls.flatMap((call, index) => {
    const id = answeredId(call, registry) ?? call.task
    return id === undefined ? [] : [{ call, index, id }]
  })

/** Earlier calls on which a call depends: it names an id or a result of their answers. */
const sourcesOf = (
  call: ObservedCall,
  position: number,
  calls: readonly ObservedCall[],
  makers: readonly Maker[],
): ObservedCall[] => {
  const text = textOf(call)
  return [
    ...makers.filter(({ index, id }) => index < position && text.includes(id)).map(({ call }) => call),
    ...(isDownload(call) ? calls.slice(0, position).filter((source) => namesResult(source, call)) : []),
  ]
}

const isDownload = ({ operation }: ObservedCall): boolean => operation === 'results.download'

const textOf = ({ path, query = '', json }: ObservedCall): string =>
  `${path}?${query} ${JSON.stringify(json ?? '')}`

const namesResult = ({ answer }: ObservedCall, { path }: ObservedCall): boolean =>
  JSON.stringify(answer.json ?? '').includes(path)

const repeatable = (
  call: ObservedCall,
  position: number,
  calls: readonly ObservedCall[],
  makers: readonly Maker[],
): RepeatableCall => {
  const { method, path, query, form } = call
  const before = makers.filter(({ index }) => index < position)
  // From the latest on: the same ids come again after a reset.
  const withIds = (text: string): string =>
    before.reduceRight((result, { id, index }) => result.replaceAll(id, `{${index + 1}}`), text)
  const sourceIndex = isDownload(call) ? sourceOfResult(call, calls.slice(0, position), before) : -1
  const target =
    sourceIndex < 0 ? withIds(query === undefined ? path : `${path}?${query}`) : `{url ${sourceIndex + 1}}`
  return { method, path: target, json: bodyWithPlaceholders(call, withIds), form }
}

/** Index of the call that names a result, or that made its task, whose URL a callback can have told; -1: none. */
const sourceOfResult = (
  call: ObservedCall,
  earlier: readonly ObservedCall[],
  makers: readonly Maker[],
): number => {
  const naming = earlier.flatMap((source, index) => (namesResult(source, call) ? [index] : []))
  // A list that is asked for again can be without the result, and says nothing of the task alone.
  const named = naming.findLast((index) => earlier[index]?.operation?.endsWith('.list') !== true)
  const maker = makers.findLast(({ id }) => call.path.includes(id))?.index
  return named ?? maker ?? naming.at(-1) ?? -1
}

const bodyWithPlaceholders = (
  { json, media = [] }: ObservedCall,
  withIds: (text: string) => string,
): unknown => {
  const kinds = new Map(media.map((medium) => [medium.is, 'facts' in medium ? medium.facts.kind : undefined]))
  const body = mapTexts(json, (text) => {
    if (kinds.has(text) || /^data:[^,]*;base64,/i.test(text)) return fixtureFor(kinds.get(text) ?? text)
    const replaced = withIds(text)
    return replaced.startsWith('asset://') && !replaced.includes('{') ? fixtureFor('image') : replaced
  })
  const fields = fieldsOf(body)
  return typeof fields.callback_url === 'string' ? { ...fields, callback_url: '{hook}' } : body
}

const fixtureFor = (kind: string): string => {
  if (/^(data:)?video/i.test(kind)) return '{fixtures}/clip.mp4'
  return /^(data:)?audio/i.test(kind) ? '{fixtures}/tone.mp3' : '{fixtures}/landscape.jpg'
}
