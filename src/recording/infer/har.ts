import { z } from 'zod'
import { keyOf } from '../../core/account/account-id.js'
import { withoutMedia } from '../../core/journal/sent.js'
import { createSanitizer, type Sanitizer } from '../sanitise.js'
import { type ErrorCatalog, errorOfTask } from './error-catalog.js'
import { failedJobsIn } from './failures.js'
import {
  type FailedTask,
  fieldsOf,
  idIn,
  type ObservedAnswer,
  type ObservedCall,
  type ObservedSession,
  taskIn,
} from './observed.js'

/** What of the service a call is, under whatever prefix its path is reached. */
export interface IdentifiedCall {
  readonly operation: string
  readonly path: string
}

export interface Knowledge {
  /** `families` says which family made a task, by the id of the task. */
  readonly recognise: (
    method: string,
    path: string,
    json: unknown,
    families: ReadonlyMap<string, string>,
  ) => IdentifiedCall | undefined
  readonly errorCatalog: (operation: string) => ErrorCatalog
}

/**
 * What a browser or a proxy has seen of the real service. Calls that are none of the service's are passed over.
 * Credentials are dropped: no header of a request is kept, and what may be a secret in a URL is left out.
 */
export const witnessedInHar = ({ log }: Har, { recognise, errorCatalog }: Knowledge): ObservedSession => {
  const sanitizer = createSanitizer()
  const families = new Map<string, string>()
  const results = new Set<string>()
  const calls: ObservedCall[] = []
  const entries = log.entries.filter(({ request }) => URL.canParse(request.url))
  for (const entry of entries.sort((a, b) => timeOf(a) - timeOf(b))) {
    const { url, query, json, form, answer } = read(entry, sanitizer)
    const isResult = results.has(withoutQuery(entry.request.url))
    const recognised = isResult
      ? { operation: 'results.download', path: url.pathname }
      : recognise(entry.request.method, url.pathname, json, families)
    if (recognised === undefined) continue
    const { operation, path } = recognised
    calls.push({
      at: timeOf(entry),
      operation,
      method: entry.request.method,
      path,
      ...(query === '' ? {} : { query }),
      ...(form === undefined ? { json } : { form }),
      answer,
    })
    const id = idIn(answer.json)
    if (id !== undefined && operation.endsWith('.create')) families.set(id, operation.replace('.create', ''))
    for (const result of urlsIn(textIn(entry.response) ?? '')) results.add(result)
  }
  return { calls, failedTasks: badEndsIn(calls, errorCatalog), lost: [], failedJobs: failedJobsIn(calls) }
}

const timeOf = ({ startedDateTime }: HarEntry): number => Date.parse(startedDateTime) || 0

const read = ({ request, response }: HarEntry, sanitizer: Sanitizer) => {
  const url = new URL(request.url)
  const key = keyOf(request.headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value)
  const source = { origin: url.origin, key }
  const { postData } = request
  const sent = withoutMedia(jsonOf(postData?.text), new Map())
  return {
    url,
    query: sanitizer.query(url.search.slice(1), source, true),
    json: sanitizer.request(sent.value, source),
    form: sanitizer.request(formOf(postData), source) as ObservedCall['form'],
    answer: answerOf(response, (value) => sanitizer.answer(value, source)),
  }
}

const jsonOf = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const formOf = (postData: HarEntry['request']['postData']): ObservedCall['form'] => {
  if (!postData?.mimeType.startsWith('multipart/')) return undefined
  const fields = (postData.params ?? []).filter(({ name }) => name !== 'file')
  return Object.fromEntries(fields.map(({ name, value = '' }) => [name, value]))
}

// Browsers write 0 for an answer that never came, and say why on the side.
const answerOf = (response: HarEntry['response'], clean: (value: unknown) => unknown): ObservedAnswer => {
  const { status, headers, _error } = response
  const kept = headers.map(({ name, value }) => [name.toLowerCase(), value] as const)
  const said = Object.fromEntries(kept.filter(([name]) => ['retry-after', 'content-type'].includes(name)))
  if (status === 0) return { headers: {}, broken: /timed?.?out/i.test(_error ?? '') ? 'silent' : 'reset' }
  const text = textIn(response)
  const json = jsonOf(text)
  return {
    status,
    headers: said,
    ...(json === undefined ? {} : { json: clean(json) }),
    ...(json === undefined && text !== undefined ? { text: clean(text) as string } : {}),
  }
}

const urlsIn = (text: string): string[] =>
  [...text.matchAll(/"(https?:\\?\/\\?\/[^"]+)"/g)].map(([, url = '']) =>
    withoutQuery(url.replaceAll('\\/', '/')),
  )

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

/** Tasks that a query said had failed or expired, as early as it was seen. */
const badEndsIn = (
  calls: readonly ObservedCall[],
  errorCatalog: (operation: string) => ErrorCatalog,
): FailedTask[] => {
  const creates = new Map(
    calls.flatMap((call) => (isCreate(call) ? [[idIn(call.answer.json) ?? '', call] as const] : [])),
  )
  const ends = new Map<ObservedCall, FailedTask>()
  for (const { operation, answer, at } of calls) {
    const { id, task_id, status, error } = taskIn(answer.json)
    const create = creates.get(String(id ?? task_id))
    if (!operation?.endsWith('.read') || create?.operation === undefined || ends.has(create)) continue
    const about = { create, afterMs: at - create.at }
    const name = errorOfTask(errorCatalog(create.operation), fieldsOf(error))
    if (status === 'expired') ends.set(create, { ...about, state: 'expired' })
    if (status === 'failed')
      ends.set(create, { ...about, state: 'failed', ...(name === undefined ? {} : { error: name }) })
  }
  return [...ends.values()]
}

const isCreate = ({ operation, answer }: ObservedCall): boolean =>
  operation?.endsWith('.create') === true && answer.status === 200

const header = z.looseObject({ name: z.string(), value: z.string() })

const entrySchema = z.looseObject({
  startedDateTime: z.string(),
  request: z.looseObject({
    method: z.string(),
    url: z.string(),
    headers: z.array(header).default([]),
    postData: z
      .looseObject({
        mimeType: z.string().default(''),
        text: z.string().optional(),
        params: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
      })
      .optional(),
  }),
  response: z.looseObject({
    status: z.number(),
    headers: z.array(header).default([]),
    content: z
      .looseObject({
        mimeType: z.string().default(''),
        text: z.string().optional(),
        encoding: z.string().optional(),
      })
      .default({ mimeType: '' }),
    _error: z.string().nullish(),
  }),
})
export type HarEntry = z.output<typeof entrySchema>

/** What browsers and proxies write (HTTP Archive 1.2), as far as it is looked at. */
export const harSchema = z.looseObject({ log: z.looseObject({ entries: z.array(entrySchema) }) })
type Har = z.output<typeof harSchema>

/** The body of an answer, which proxies write in Base64 as they like; undefined for one that is no text. */
const textIn = ({ content: { text, encoding, mimeType } }: HarEntry['response']): string | undefined => {
  if (encoding !== 'base64' || text === undefined) return text
  return /json|text|xml/i.test(mimeType) ? Buffer.from(text, 'base64').toString('utf8') : undefined
}

/** Whether a JSON value is meant to be such an archive. */
export const isHar = (value: unknown): boolean =>
  Array.isArray((value as { log?: { entries?: unknown } } | null)?.log?.entries)
