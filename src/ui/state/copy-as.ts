import { percentDecoded } from '../../emulator/surface/paths.js'
import type { ExplainedRequest, RequestRecord } from '../../generated/control-api.js'

/** Where a copy sends its call (`http://127.0.0.1:4650`, without a slash at its end), and the key of the account. */
type CopySource = Readonly<Record<'origin' | 'key', string>>

/** The path of a call with its query. */
export const pathAndQuery = ({ path, query }: RequestRecord): string =>
  query === '' ? path : `${path}?${query}`

// A header with what the journal has in place of a credential, or of the end of a long text. The key of an account is known.
const REDACTED = /^(?!authorization,\(a).*\((account \w+|empty|left out|key|token|\d+ characters)\)/m

/** What is to be said beside a copy of a call; empty: it is as it was sent. */
export const hintOf = (request: ExplainedRequest): string => {
  const parts = cutParts(request).join(' and ')
  return parts && `The journal has cut, or left out, a part of the ${parts}: put it in again.`
}

/** The parts of a call that are not as they were sent. */
const cutParts = (request: ExplainedRequest): string[] => {
  const { isWhole, headers, path, query, bytes } = request
  const body = bodyText(request)
  // The journal has no mark for a file, and for a body that no operation reads.
  const isBodyLost = isForm(request) || (body === '' && bytes > 0)
  const marked = Object.entries({ path, query: percentDecoded(query), body: isBodyLost ? '(empty)' : body })
    .filter(([, text]) => !isWhole && REDACTED.test(text))
    .map(([name]) => name)
  const cut = isWhole || marked.length > 0 ? marked : ['body']
  return REDACTED.test(Object.entries(headers).join('\n')) ? ['headers', ...cut] : cut
}

/** The body as it is sent; empty: there is none. */
export const bodyText = ({ body, text }: ExplainedRequest, indent?: number): string =>
  text ?? JSON.stringify(body, null, indent) ?? ''

export const isForm = ({ headers }: ExplainedRequest): boolean =>
  /^multipart/.test(headers['content-type'] ?? '')

const hasBody = (request: ExplainedRequest): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && bodyText(request) !== ''

// Headers, each as `name,value`, of the connection, and those that clients add to every call.
const OF_CLIENTS =
  /^(accept-|accept,\*\/\*$|connection|content-(length|type,multi)|expect|host|keep-|origin|referer|sec-|transfer-|upgrade|user-agent)/

/** The headers of a copy of a call: those on which its answer can depend, with `key` in place of the redacted one. */
export const headersOf = (
  request: ExplainedRequest,
  key: string,
  quoted: (text: string) => string = String,
) =>
  Object.entries(request.headers)
    .filter((header) => !OF_CLIENTS.test(header.join()) && !REDACTED.test(header.join()))
    .map(([name, value]) => [name, name === 'authorization' ? key : quoted(value)])

/** A call as a command of curl for a POSIX shell. */
export const asCurl = (request: ExplainedRequest, { origin, key }: CopySource): string => {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const path = pathAndQuery(request)
  // Otherwise curl takes brackets for a pattern of several URLs.
  const flags = /[[\]{}]/.test(path) ? '-sg' : '-s'
  // With -X, curl awaits the body that the answer to a HEAD names and does not have.
  const method = request.method === 'HEAD' ? '-I' : `-X ${request.method}`
  const lines = [
    `curl ${flags} ${method} ${quoted(origin + path)}`,
    ...headersOf(request, `Bearer ${key}`).map((header) => `-H ${quoted(header.join(': '))}`),
    ...formParts(request).map(([option, part]) => `${option} ${quoted(part)}`),
    ...(hasBody(request) && !isForm(request) ? [`--data-raw ${quoted(bodyText(request))}`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** The parts of a form with the options of curl for them. The journal has no bytes of files, and no form that no operation reads. */
const formParts = (request: ExplainedRequest): (readonly [option: string, part: string])[] => {
  const { fields = {}, files = [] } = formOf(request)
  const texts = Object.entries(fields).map(([name, value]) => ['--form-string', `${name}=${value}`] as const)
  return [...texts, ...files.map(({ field }) => ['-F', `${field}=@FILE`] as const)]
}

interface FormBody {
  readonly fields?: Readonly<Record<string, string>>
  readonly files?: readonly { readonly field: string; readonly name: string; readonly bytes: number }[]
}

/** The form that was sent, without the bytes of its files; empty where the journal does not have it. */
export const formOf = (request: ExplainedRequest): FormBody =>
  ((isForm(request) && request.body) || {}) as FormBody

/** The options of `fetch` for a call, as source of JavaScript. A form is the value of `form`. */
export const fetchOptions = (request: ExplainedRequest, key: string): string => {
  const headers = headersOf(request, key, JSON.stringify).map(([name, value]) => `"${name}": ${value}`)
  const lines = [
    `method: ${JSON.stringify(request.method)},`,
    `headers: { ${headers.join(', ')} },`,
    ...(isForm(request) ? ['body: form,'] : hasBody(request) ? [`body: ${bodySource(request)},`] : []),
  ]
  return `{\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}\n}`
}

const bodySource = ({ body, text }: ExplainedRequest): string =>
  text === undefined ? `JSON.stringify(${JSON.stringify(body, null, 2)})` : JSON.stringify(text)

/** A call as a `fetch` of JavaScript. @throws Error for a form */
export const asFetch = (request: ExplainedRequest, { origin, key }: CopySource): string => {
  if (isForm(request)) throw new Error('A form is copied as curl or as a test.')
  return `const response = await fetch(${JSON.stringify(origin + pathAndQuery(request))}, ${fetchOptions(request, JSON.stringify(`Bearer ${key}`))})
console.log(response.status, await response.text())`
}

/** What is read of the lines of a recording, where they have it. */
type RecordingLine = Readonly<Record<'kind' | 'at' | 'id' | 'task' | 'operation', string>> & {
  readonly attempts: readonly { readonly at: string }[]
}

/**
 * The part of a recording up to a call, which `backlot replay` runs: what came before it decides how it is answered. The
 * callbacks of its tasks, which stand behind the calls, stay: a replay reports one that it sends and that no line names. One
 * that was sent after the call is waiting, so that it is not compared.
 * @param recording lines of JSON, as `GET /_backlot/requests?format=replay` answers
 */
export const asRecording = (recording: string, requestId: string): string => {
  const lines = recording
    .trimEnd()
    .split('\n')
    .map((line): RecordingLine => JSON.parse(line))
  const last = lines.findIndex(({ id }) => id === requestId)
  const call = lines[last]
  if (call === undefined) throw new Error('The recording does not hold this call any more.')
  const later = lines.slice(last + 1)
  const laterTasks = new Set(later.map(({ operation, task }) => /\.create$/.test(operation) && task))
  const callbacks = later.filter(({ kind, task }) => kind === 'callback' && !laterTasks.has(task))
  const isSent = ({ attempts }: RecordingLine) =>
    attempts.length > 0 && attempts.every(({ at }) => at <= call.at)
  const part = callbacks.map((line) => (isSent(line) ? line : { ...line, state: 'waiting' }))
  return [...lines.slice(0, last + 1), ...part].map((line) => `${JSON.stringify(line)}\n`).join('')
}
