import { mapTexts } from '../../core/map-texts.js'
import type { ScenarioInput } from '../../core/scenario/schema.js'
import { fieldsOf, idIn, type ObservedCall } from './observed.js'

/** A call that can be made of another emulator, where ids and URLs are others. */
interface CallAgain {
  readonly method: string
  /**
   * Path and query, and texts of the body, hold `{1}` for the id that the first call of the list was answered with,
   * `{url 1}` for the result that its answer names, `{fixtures}` and `{hook}`.
   */
  readonly path: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
}

/** The calls that steps act on and those on which these depend, in order. */
export const callsAgain = (calls: readonly ObservedCall[], { steps }: ScenarioInput): CallAgain[] => {
  const needed = new Set<ObservedCall>()
  const need = (call: ObservedCall): void => {
    if (needed.has(call)) return
    needed.add(call)
    for (const source of sourcesOf(call, calls)) need(source)
  }
  for (const { when } of steps)
    for (const call of callsOf(String(when?.operation), lastOf(when ?? {}), calls)) need(call)
  const list = calls.filter((call) => needed.has(call))
  return list.map((call) => again(call, list))
}

type When = NonNullable<ScenarioInput['steps'][number]['when']>

// Which message of which task it is about says nothing of calls, so that all creates are made.
const lastOf = ({ nth, first, callback }: When): number =>
  callback === undefined ? Math.max(first ?? 0, ...[nth ?? 0].flat()) : Number.POSITIVE_INFINITY

const callsOf = (operation: string, last: number, calls: readonly ObservedCall[]): ObservedCall[] =>
  calls.filter((call) => call.operation === operation).slice(0, last)

/** Earlier calls whose answers a call speaks of. */
const sourcesOf = (call: ObservedCall, calls: readonly ObservedCall[]): ObservedCall[] => {
  const text = textOf(call)
  return calls.slice(0, calls.indexOf(call)).filter((earlier) => {
    const id = answeredId(earlier)
    return (id !== undefined && text.includes(id)) || namesResult(earlier, call)
  })
}

const textOf = ({ path, query = '', json }: ObservedCall): string =>
  `${path}?${query} ${JSON.stringify(json ?? '')}`

/** What an answer gives a name to: a task, a job or an asset. */
const answeredId = ({ operation = '', answer: { json } }: ObservedCall): string | undefined => {
  if (operation === 'd-assets.resolve') return asText(fieldsOf(fieldsOf(json).data).asset_id)
  return operation.endsWith('.create') || operation === 'd-assets.upload' ? idIn(json) : undefined
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const namesResult = ({ answer }: ObservedCall, { operation, path }: ObservedCall): boolean =>
  operation === 'results.download' && JSON.stringify(answer.json ?? '').includes(path)

const again = (call: ObservedCall, list: readonly ObservedCall[]): CallAgain => {
  const earlier = list.slice(0, list.indexOf(call))
  const named = (text: string): string =>
    earlier.reduce((result, one, index) => {
      const id = answeredId(one)
      return id === undefined ? result : result.replaceAll(id, `{${index + 1}}`)
    }, text)
  const { method, path, query, form } = call
  const source = earlier.findLastIndex((one) => namesResult(one, call))
  const target = source < 0 ? named(query === undefined ? path : `${path}?${query}`) : `{url ${source + 1}}`
  return {
    method,
    path: target,
    ...(call.json === undefined ? {} : { json: bodyAgain(call, named) }),
    ...(form === undefined ? {} : { form }),
  }
}

const bodyAgain = ({ json, media = [] }: ObservedCall, named: (text: string) => string): unknown => {
  const kinds = new Map(media.map((medium) => [medium.is, 'facts' in medium ? medium.facts.kind : undefined]))
  const body = mapTexts(json, (text) => {
    if (kinds.has(text) || /^data:/i.test(text)) return fixtureFor(kinds.get(text) ?? text)
    const told = named(text)
    return told.startsWith('asset://') && !told.includes('{') ? fixtureFor('image') : told
  })
  return typeof fieldsOf(body).callback_url === 'string'
    ? { ...fieldsOf(body), callback_url: '{hook}' }
    : body
}

const fixtureFor = (kind: string): string => {
  if (/^(data:)?video/i.test(kind)) return '{fixtures}/clip.mp4'
  return /^(data:)?audio/i.test(kind) ? '{fixtures}/tone.mp3' : '{fixtures}/landscape.jpg'
}

/** A test for vitest that makes the calls which the steps act on, and fails when one of the steps has not acted. */
export const testText = ({ name }: ScenarioInput, file: string, calls: readonly CallAgain[]): string => `\
import { fileURLToPath } from 'node:url'
import { startEmulator } from 'backlot'
import { expect, test } from 'vitest'

const scenario = fileURLToPath(new URL(${quoted(`./${file}`)}, import.meta.url))

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
  const fixtures = \`\${url}/_backlot/fixtures\`
  const filled = (text: string): string =>
    text
      .replaceAll('{hook}', hook)
      .replaceAll('{fixtures}', fixtures)
      .replace(/\\{url (\\d+)\\}/g, (_, n) => /https?:[^"]*\\/results\\/[^"]*/.exec(answers[n - 1] ?? '')?.[0] ?? '')
      .replace(/\\{(\\d+)\\}/g, (_, n) => idIn(answers[n - 1] ?? '{}'))
  for (const { method, path, json, form } of calls) {
    const body =
      json === undefined
        ? form && (await formOf(form, \`\${fixtures}/landscape.jpg\`))
        : filled(JSON.stringify(json))
    const headers = { authorization: \`Bearer \${key}\` }
    // A scenario can take the connection away, or leave a call without an answer.
    answers.push(
      await fetch(new URL(filled(path), url), { method, headers, body, signal: AbortSignal.timeout(2_000) }).then(
        (answer) => answer.text(),
        () => '{}',
      ),
    )
  }
}

const idIn = (answer: string): string => {
  try {
    const { id, task_id, output, data } = JSON.parse(answer)
    return id ?? task_id ?? output?.task_id ?? data?.asset_id ?? data?.task_id ?? 'none'
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
