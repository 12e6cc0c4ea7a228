import {
  exceedsJsonLimits,
  mapTexts,
  parseJson,
  redaction,
  withoutMedia,
} from '../../emulator/surface/journal.js'
import { keyOf } from '../../emulator/surface/records.js'
import {
  builtIn,
  createRoutes,
  errorOfTask,
  type Registry,
  tasksIn,
} from '../../emulator/surface/registry.js'
import { type Har, type HarEntry, isText } from '../../traffic/har.js'
import { createSanitizers, type Sanitizer, type SanitizerFor } from '../sanitise.js'
import {
  answeredId,
  type FailedTask,
  failedJobsIn,
  fieldsOf,
  isFailed,
  type ObservedAnswer,
  type ObservedCall,
  type ObservedSession,
  operationOf,
} from './observed.js'

/** Creates of tasks, by the id of the task. */
type Creates = Map<string, ObservedCall>

/** What the calls before an entry tell of it. */
interface Known {
  readonly creates: Creates
  /** URLs of results, without their queries. */
  readonly results: Set<string>
  /** The families whose calls are looked for. */
  readonly registry: Registry
  readonly findRoute: ReturnType<typeof createRoutes>
}

/**
 * Session in a HAR file: the calls of the service that a browser or a proxy made. Other calls are skipped.
 * Credentials are dropped: no request header is kept, and possible secrets in a URL are replaced.
 * @param registry the families whose calls are looked for
 */
export const sessionInHar = ({ log }: Har, registry: Registry = builtIn): HarSession => {
  const sanitizerFor = createSanitizers()
  const findRoute = createRoutes(registry.operations)
  const known: Known = { creates: new Map(), results: new Set(), registry, findRoute }
  const { creates, results } = known
  const calls: ObservedCall[] = []
  let withoutText = 0
  const aborted: string[] = []
  const entries = log.entries.filter(({ request, _fromCache }) => URL.canParse(request.url) && !_fromCache)
  for (const entry of entries.sort((a, b) => timeOf(a) - timeOf(b))) {
    const call = callIn(entry, known, sanitizerFor)
    if (call === undefined) continue
    calls.push(call)
    if (isAborted(entry.response)) aborted.push(`${call.method} ${call.path}`)
    if (lacksText(entry.response) && call.operation !== 'results.download') withoutText += 1
    const id = answeredId(call, registry)
    if (id !== undefined && operationOf(call, registry)?.makes === 'task') creates.set(id, call)
    for (const result of urlsIn(textIn(entry.response) ?? '')) results.add(result)
  }
  const { failedTasks, ...tasks } = failedTasksIn(calls, creates, registry)
  const { failedJobs, ...jobs } = failedJobsIn(calls, registry)
  const ofOtherCalls = [...tasks.ofOtherCalls, ...jobs.ofOtherCalls]
  return { calls, failedTasks, lost: [], failedJobs, ofOtherCalls, withoutText, aborted }
}

interface HarSession extends ObservedSession {
  /** How many answers of the service have a body whose text is not in the file. */
  readonly withoutText: number
}

// Chromium and Firefox; `ERR_CONNECTION_ABORTED` is another.
const isAborted = ({ status, _error, _failureText }: HarEntry['response']): boolean =>
  status <= 0 && /\bERR_ABORTED|NS_BINDING_ABORTED/.test(_error ?? _failureText ?? '')

/** Whether an answer had a text as its body that its writer did not keep, as with `content: 'omit'` of Playwright. */
const lacksText = ({ content: { size = 0, text, mimeType } }: HarEntry['response']): boolean =>
  size > 0 && text === undefined && (mimeType === '' || isText(mimeType))

/** Call in an entry, or undefined where no operation has its route, or it is redirected to the call that is answered. */
const callIn = (entry: HarEntry, known: Known, sanitizerFor: SanitizerFor): ObservedCall | undefined => {
  const { results } = known
  const { method } = entry.request
  const isDownload = ['GET', 'HEAD'].includes(method) && results.has(withoutQuery(entry.request.url))
  const { url, query, json, form, answer } = read(entry, isDownload, sanitizerFor)
  const identified = isDownload
    ? { operation: 'results.download', path: url.pathname }
    : identify(method, url.pathname, json, known)
  if (identified === undefined) return undefined
  const target = targetOf(entry)
  if (target !== undefined) {
    // The call of the other URL is the one that the service answers, unless that is a store of files.
    if (isDownload) results.add(withoutQuery(target.href))
    if (isDownload || identify(method, target.pathname, json, known)) return undefined
  }
  const sent = { query: query || undefined, json: form === undefined ? json : undefined, form }
  const keys = keysIn(entry)
  return mapTexts({ at: timeOf(entry), method, ...identified, ...sent, answer }, (text) =>
    keys.reduce(redaction.withoutKey, text),
  ) as ObservedCall
}

/** Credentials in the headers of a request, which its answer may quote: keys behind the name of any scheme, cookies. */
const keysIn = ({ request: { headers } }: HarEntry): string[] =>
  headers
    .filter(({ name }) => redaction.isSecretName(name))
    .flatMap(({ value }) => value.split(/[\s;,]+/))
    .map((word) => word.replace(/^[\w-]+=(?=[^=])/, '').replace(/^"(.*)"$/, '$1'))

/** Operation of a call, and its path without the prefix of a gateway in front of the service. */
const identify = (
  method: string,
  path: string,
  json: unknown,
  { creates, registry, findRoute }: Known,
): Pick<ObservedCall, 'operation' | 'path'> | undefined => {
  const steps = path.split('/').slice(1)
  for (const index of steps.keys()) {
    const suffix = `/${steps.slice(index).join('/')}`
    const matched = findRoute(method, suffix)
    if (matched === undefined) continue
    const create = creates.get(Object.values(matched.params)[0] ?? '')
    const operation =
      matched.operations.find(({ family }) => family === (create && operationOf(create, registry)?.family)) ??
      matched.operations.find(({ family }) =>
        hasModel(registry.taskFamily(family), String(fieldsOf(json).model)),
      ) ??
      matched.operations[0]
    if (operation !== undefined) return { operation: operation.id, path: suffix }
  }
  return undefined
}

const hasModel = (family: ReturnType<Registry['taskFamily']>, model: string): boolean =>
  family?.models.includes(model) === true

/** Other URL that a call is redirected to, or undefined where the answer is no redirect, names no URL that can be read, or the same. */
const targetOf = ({ request, response: { status, redirectURL, headers } }: HarEntry): URL | undefined => {
  const isRedirect = status >= 300 && status < 400 && status !== 304
  // Not every writer fills the field.
  const named = redirectURL || headers.find(({ name }) => name.toLowerCase() === 'location')?.value
  if (!isRedirect || !named || !URL.canParse(named, request.url)) return undefined
  const target = new URL(named, request.url)
  return target.href === new URL(request.url).href ? undefined : target
}

const timeOf = ({ startedDateTime }: HarEntry): number => Date.parse(startedDateTime) || 0

const read = ({ request, response }: HarEntry, isDownload: boolean, sanitizerFor: SanitizerFor) => {
  const url = new URL(request.url)
  const key = keyOf(request.headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value)
  const sanitizer = sanitizerFor({ origin: url.origin, key })
  const { postData } = request
  return {
    url,
    query: sanitizer.query(url.search.slice(1), !isDownload, false),
    json: sanitizer.request(withoutMedia(jsonIn(postData?.text), new Map()).value),
    form: sanitizer.request(formOf(postData)),
    answer: answerOf(response, sanitizer.answer),
  }
}

/** JSON value of a text, or undefined where it is none, or nested too deeply for what searches it. */
const jsonIn = (text = ''): unknown => {
  const value = parseJson(text)
  return exceedsJsonLimits(value) === undefined ? value : undefined
}

const formOf = (postData: HarEntry['request']['postData']): ObservedCall['form'] => {
  if (postData === undefined || !/^multipart\//i.test(postData.mimeType)) return undefined
  const fields = (postData.params ?? []).filter(({ name }) => name !== 'file')
  return Object.fromEntries(fields.map(({ name, value = '' }) => [name, value]))
}

// An answer that never came has status 0 and the reason in `_error`; Playwright writes -1, and `_failureText`.
const answerOf = (response: HarEntry['response'], clean: Sanitizer['answer']): ObservedAnswer => {
  const { status, headers, _error, _failureText } = response
  // It is counted as a call that the service answered.
  if (isAborted(response)) return { status: 200, headers: {} }
  if (status <= 0)
    return { headers: {}, broken: /timed?.?out/i.test(_error ?? _failureText ?? '') ? 'silent' : 'reset' }
  const lowerCase = headers.map(({ name, value }) => [name.toLowerCase(), value] as const)
  const kept = lowerCase.filter(([name]) => ['retry-after', 'content-type'].includes(name))
  const text = textIn(response)
  const json = jsonIn(text)
  return {
    status,
    headers: Object.fromEntries(kept),
    json: mapTexts(clean(json), (value, name) =>
      value !== '' && redaction.isSecretName(name) ? redaction.keyPlaceholder : value,
    ),
    text: json === undefined ? clean(text) : undefined,
  }
}

const urlsIn = (text: string): string[] =>
  [...text.matchAll(/"(https?:\\?\/\\?\/[^"]+)"/g)].map(([, url = '']) =>
    withoutQuery(url.replaceAll('\\/', '/')),
  )

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

/**
 * Tasks that a query or a list shows as failed or expired, at the time of the first one that does; those of other creates in
 * words.
 */
const failedTasksIn = (
  calls: readonly ObservedCall[],
  creates: Creates,
  registry: Registry,
): Pick<ObservedSession, 'failedTasks' | 'ofOtherCalls'> => {
  const failed = new Map<ObservedCall, FailedTask>()
  const ofOtherCalls: string[] = []
  for (const call of calls)
    for (const { id, status, error } of tasksShown(call, registry)) {
      if (status !== 'expired' && status !== 'failed') continue
      const create = creates.get(String(id))
      if (create === undefined) ofOtherCalls.push(`the task ${id}`)
      if (create === undefined || isFailed(create) || failed.has(create)) continue
      const family = familyOf(create, registry)
      const name = family && status === 'failed' ? errorOfTask(family, fieldsOf(error).code) : undefined
      failed.set(create, { create, state: status, afterMs: call.at - create.at, error: name })
    }
  return { failedTasks: [...failed.values()], ofOtherCalls }
}

const familyOf = (call: ObservedCall, registry: Registry) =>
  registry.taskFamily(operationOf(call, registry)?.family ?? '')

/** Tasks that the answer to a query or a list shows. */
const tasksShown = (call: ObservedCall, registry: Registry): Readonly<Record<string, unknown>>[] => {
  const { id = '' } = operationOf(call, registry) ?? {}
  const family = familyOf(call, registry)
  return family !== undefined && /\.(list|read)$/.test(id) ? tasksIn(family, call.answer.json) : []
}

/** Text of an answer, which some proxies write in Base64, or undefined where it is no text. */
const textIn = ({ content: { text, encoding, mimeType } }: HarEntry['response']): string | undefined => {
  if (encoding !== 'base64' || text === undefined) return text
  return isText(mimeType) ? Buffer.from(text, 'base64').toString('utf8') : undefined
}
