import { mapTexts } from '../../core/journal/redact.js'
import type { ScenarioInput } from '../../core/scenario/schema.js'
import { answeredId, fieldsOf, type ObservedCall } from './observed.js'

/** Repeatable call: one that can be sent to another emulator, with other ids and URLs. */
interface RepeatableCall {
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
): RepeatableCall[] => {
  const needed = new Set<ObservedCall>()
  const indexes = new Map(calls.map((call, index) => [call, index]))
  const makers = makersIn(calls)
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
  const listed = makersIn(list)
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
const makersIn = (calls: readonly ObservedCall[]) =>
  calls.flatMap((call, index) => {
    const id = answeredId(call) ?? call.task
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

/** Vitest test, as text: makes the calls and fails when a step of the scenario has not acted. */
export const testText = (
  { name }: ScenarioInput,
  file: string,
  calls: readonly RepeatableCall[],
): string => `\
import { fileURLToPath } from 'node:url'
import { type ScenarioFile, startEmulator } from 'backlot'
import { expect, test } from 'vitest'

const scenario = fileURLToPath(new URL(${quoted(`./${file}`)}, import.meta.url)) as ScenarioFile

test(${quoted(`${name}: all that went wrong goes wrong again`)}, async () => {
  const emulator = await startEmulator({ scenario })
  const account = emulator.account('any-key')
  try {
    await client({ url: emulator.url, key: account.key, hook: account.inbox('hook').url })
    await account.clock.advance({ to: 'idle' })
    expect(await account.scenario.unused()).toEqual([])
  } finally {
    await emulator.stop()
  }
})

interface Service {
  readonly url: string
  readonly key: string
  /** A receiver of callbacks. */
  readonly hook: string
}

/** Makes the calls that were made when it went wrong. Your own client belongs in its place. */
const client = async ({ url, key, hook }: Service): Promise<void> => {
  const answers: string[] = []
  const headers = { authorization: \`Bearer \${key}\` }
  const fixtures = \`\${url}/_backlot/fixtures\`
  const filled = (text: string): string =>
    text
      .replaceAll('{hook}', hook)
      .replaceAll('{fixtures}', fixtures)
      .replace(/\\{(\\d+)\\}/g, (_, n) => idIn(answers[n - 1] ?? '{}'))
  const resultOf = async (answer = ''): Promise<string> => {
    const [named] = /https?:[^"]*\\/results\\/[^"]*/.exec(answer) ?? []
    if (named !== undefined) return named
    // The client asked once the task had ended, or learnt the URL from a callback.
    await fetch(\`\${url}/_backlot/clock/advance\`, { method: 'POST', headers, body: '{"to":"idle"}' })
    const results = await fetch(\`\${url}/_backlot/results?task=\${idIn(answer)}\`, { headers })
    return ((await results.json()) as { items: { url: string }[] }).items[0]?.url ?? ''
  }
  for (const { method, path, json, form } of calls) {
    const [, n] = /^\\{url (\\d+)\\}$/.exec(path) ?? []
    const target = n === undefined ? filled(path) : await resultOf(answers[Number(n) - 1])
    const body =
      json === undefined
        ? form && (await formOf(form, \`\${fixtures}/landscape.jpg\`))
        : filled(JSON.stringify(json))
    const sent = { method, headers, ...(body === undefined ? {} : { body }) }
    // A scenario can end the connection, before the answer or in the middle of it, or leave a call without an answer.
    const answer = await fetch(new URL(target, url), { ...sent, signal: AbortSignal.timeout(2_000) })
      .then((answer) => answer.text())
      .catch(() => '{}')
    // The task that a call made although its answer was lost is the newest.
    const isLost = method === 'POST' && idIn(answer) === 'none' && !answer.includes('/results/')
    answers.push(isLost ? await (await fetch(\`\${url}/_backlot/tasks?limit=1\`, { headers })).text() : answer)
  }
}

const idIn = (answer: string): string => {
  try {
    const { id, task_id, output, data, items } = JSON.parse(answer)
    return id ?? task_id ?? output?.task_id ?? data?.asset_id ?? data?.task_id ?? items?.[0]?.id ?? 'none'
  } catch {
    return 'none'
  }
}

const formOf = async (fields: Record<string, string>, file: string): Promise<FormData> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', await (await fetch(file)).blob(), 'landscape.jpg')
  return form
}

interface Call {
  readonly method: string
  /** \`{1}\` is the id in the answer to the first call, \`{url 1}\` the result that it names. */
  readonly path: string
  readonly json?: unknown
  readonly form?: Record<string, string>
}

const calls: readonly Call[] = [
${calls.map((call) => `  ${JSON.stringify(call)},`).join('\n')}
]
`

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
