import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'
import { lateImport, lateImportInFolder } from '../concurrency.js'
import { EmulatorError, explainSystemError } from '../core/errors.js'
import type { HealthReporter } from '../core/events.js'
import type { FileSpec } from '../core/media/spec.js'
import type { Reply } from '../core/model/call.js'
import { JSON_TYPE } from '../core/scenario/effects/answer.js'
import type { RenderedFile, Renderer } from '../media/render/renderer.js'

interface SendResultParts {
  readonly renderer: Renderer
  readonly health: HealthReporter
  readonly onInternalError: (error: unknown) => void
}

/** The reply in place of a file that cannot be rendered or read. `isBusy`: it may be there in a moment. */
export type FileErrorReply = (cause: EmulatorError, isBusy: boolean) => Reply

/**
 * Renders a result and sends the file, or the range of it that was asked for. Resolves when the answer is over: with the
 * reply that was sent in place of the file, if there was an error.
 */
export type SendResult = (
  spec: FileSpec,
  request: IncomingMessage,
  response: ServerResponse,
  fileError: FileErrorReply,
  handleFile?: HandleFile,
) => Promise<Reply | undefined>

/** What is done with the rendered file. Default: it is sent. Resolves with an error of reading it, if there was one. */
type HandleFile = (
  request: IncomingMessage,
  response: ServerResponse,
  file: RenderedFile,
) => Promise<SendError | undefined>

export const createSendResult =
  ({ renderer, health, onInternalError }: SendResultParts): SendResult =>
  async (spec, request, response, fileError, handleFile = sendFile) => {
    // A client can leave while the call is decided.
    if (response.closed) return undefined
    const disconnected = new AbortController()
    response.once('close', () => disconnected.abort())
    const openAndHandle = async (): Promise<SendError | undefined> => {
      const file = await renderer.open(spec, disconnected.signal)
      return handleFile(request, response, file)
        .catch((thrown): SendError => thrown)
        .finally(() => file.release())
    }
    // The renderer reports its own failures, once for all calls that meet them.
    const refuse = (error: unknown, isReported: boolean): Reply => {
      if (!(error instanceof EmulatorError)) onInternalError(error)
      else if (!isReported) health.report('results', error)
      return sendFileError(response, error, fileError)
    }
    try {
      let cause = await openAndHandle()
      // Another process that shares the folder has evicted the file since it was opened.
      if (cause?.code === 'ENOENT' && !response.headersSent) cause = await openAndHandle()
      if (cause === undefined) return void health.resolve('results')
      // A file that breaks off: the client would wait for the rest of it.
      if (response.headersSent) return void response.destroy()
      if (request.destroyed) return undefined
      if (cause.status === 412 || cause.status === 416) return void response.writeHead(cause.status).end()
      return refuse(explainSystemError('The result was rendered and cannot be sent', cause), false)
    } catch (error) {
      if (request.destroyed || disconnected.signal.aborted) return undefined
      return refuse(error, true)
    }
  }

interface SendError extends NodeJS.ErrnoException {
  /** 412 and 416 are the client's; every other status says that the file cannot be read. */
  readonly status?: number
}

const importSend = lateImportInFolder(() => import('send'))
const importRangeParser = lateImport(() => import('range-parser'))

/** Writes a file with the package `send`: ranges, conditions, HEAD. Resolves when the answer is over, with the error if there was one. */
const sendFile: HandleFile = async (request, response, { path, contentType, etag, bytes }) => {
  const { default: send } = await importSend()
  if (response.closed) return undefined
  return new Promise((resolve) => {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('ETag', etag)
    // A browser asks each time: clocks that are moved end a URL early, and after a reset the same URL is another task's.
    response.setHeader('Cache-Control', 'private, no-cache')
    response.once('close', () => resolve(undefined))
    if (isUnchanged(request.headers, etag)) return void response.writeHead(304).end()
    response.setHeader('Content-Type', contentType)
    // A root and a name: `send` refuses an absolute path if one of its folders begins with a dot.
    send(withSupportedHeaders(request, bytes), basename(path), {
      root: dirname(path),
      etag: false,
      lastModified: false,
      cacheControl: false,
      dotfiles: 'allow',
    })
      .on('error', resolve)
      .pipe(response)
  })
}

/** Bytes of a file: from the first to the last, both included. */
export interface FilePart {
  readonly start: number
  readonly end: number
}

/**
 * Part of a file that a request asks for, read as `send` reads it: the whole where `Range` names several parts or none.
 * Undefined for no byte of it, since the client has the file already (304), wants another one (412) or what lies behind its end
 * (416).
 */
export const requestedPart = async (
  request: IncomingMessage,
  { bytes, etag }: Pick<RenderedFile, 'bytes' | 'etag'>,
): Promise<FilePart | 'whole' | undefined> => {
  const {
    range,
    'if-match': wanted = '*',
    'if-range': known = etag,
  } = withSupportedHeaders(request, bytes).headers
  if (isUnchanged(request.headers, etag) || !names(wanted, etag)) return undefined
  if (range === undefined || !names(String(known), etag)) return 'whole'
  const { default: parseRange } = await importRangeParser()
  const parts = parseRange(bytes, range, { combine: true })
  if (parts === -1) return undefined
  const [first] = parts === -2 || parts.type !== 'bytes' || parts.length > 1 ? [] : parts
  return first ?? 'whole'
}

/**
 * A request with what `send` and its parser misread put right (RFC 9110, 13.1.4, 14.1.1 and 14.1.2): more last bytes than
 * there are mean the whole file, a range of another unit or one that ends before it begins means that there is no `Range`, and
 * `If-Unmodified-Since` means nothing where there is no modification date.
 */
const withSupportedHeaders = (request: IncomingMessage, bytes: number): IncomingMessage => {
  const { range = '', 'if-unmodified-since': _, ...rest } = request.headers
  const isIgnored = !range.startsWith('bytes=') || range.slice('bytes='.length).split(',').some(isReversed)
  const supported = range.replace(/(?<=[=,]\s*)-(\d+)/g, (last, count) =>
    Number(count) > bytes ? '0-' : last,
  )
  return Object.create(request, { headers: { value: isIgnored ? rest : { ...rest, range: supported } } })
}

/** Whether a range such as `5-2` ends before it begins. */
const isReversed = (range: string): boolean => {
  const [first, last] = range.split('-')
  return last?.trim() !== '' && Number(first) > Number(last)
}

const sendFileError = (response: ServerResponse, error: unknown, fileError: FileErrorReply): Reply => {
  // They describe the file that is not sent.
  for (const name of ['Content-Type', 'ETag', 'Cache-Control']) response.removeHeader(name)
  const message = `The result could not be rendered: ${String(error)}`
  const cause =
    error instanceof EmulatorError
      ? error
      : new EmulatorError(message, { code: 'render-failed', cause: error })
  const reply = fileError(cause, cause.code === 'renders-full')
  sendReply(response, reply)
  return reply
}

/** Writes a reply, as JSON unless it is a text. Every answer carries a request id (gap X3). */
export const sendReply = (response: ServerResponse, reply: Reply, requestId?: string): void => {
  const text = reply.bytes ?? reply.text ?? JSON.stringify(reply.body)
  writeHead(response, reply, requestId, String(Buffer.byteLength(text)))
  // As text rather than as bytes: Node then writes head and body at once, which halves what an answer costs.
  response.end(text)
}

/**
 * Writes the status and the headers of a reply.
 * @param bytes the length of its body, where no header says another; undefined where it is not known
 */
export const writeHead = (
  response: ServerResponse,
  reply: Reply,
  requestId: string | undefined,
  bytes: string | undefined,
): void => {
  const {
    'Content-Type': type = JSON_TYPE,
    'Content-Length': length = bytes,
    'X-Request-Id': id = requestId,
    ...others
  } = reply.headers ?? {}
  // Names and values in turn: Node writes such a list as it is.
  const headers = ['Content-Type', type]
  if (length !== undefined) headers.push('Content-Length', length)
  headers.push('X-Content-Type-Options', 'nosniff')
  if (id !== undefined) headers.push('X-Request-Id', id)
  for (const name in others) headers.push(name, others[name] as string)
  for (const cookie of reply.cookies ?? []) headers.push('Set-Cookie', cookie)
  response.writeHead(
    reply.status,
    reply.without === undefined ? headers : left(response, headers, reply.without),
  )
}

/** What is left of a list of names and values without some headers, which the response does not have either. */
const left = (response: ServerResponse, headers: readonly string[], without: readonly string[]): string[] => {
  leaveOut(response, without)
  return headers.filter((_, index) => !without.includes((headers[index - (index % 2)] ?? '').toLowerCase()))
}

/** Takes headers away from a response, those too that Node writes by itself. */
export const leaveOut = (response: ServerResponse, names: readonly string[]): void => {
  for (const name of names) response.removeHeader(name)
  if (names.includes('date')) response.sendDate = false
}

/**
 * Whether the client has the file already, by `If-None-Match` (RFC 9110, 13.1.2). Object stores look at nothing else: a
 * `Cache-Control: no-cache` beside it, which Node's fetch adds by itself, is for caches.
 */
export const isUnchanged = (headers: IncomingHttpHeaders, etag: string): boolean => {
  const known = headers['if-none-match']
  // If-Match comes first when both are sent.
  if (known === undefined || headers['if-match'] !== undefined) return false
  return names(known, etag)
}

/** Whether a list of ETags names one, or all of them (`*`). */
const names = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => opaqueTag(tag) === opaqueTag(etag))

/** Weak comparison: without the prefix of weak ETags. */
const opaqueTag = (etag: string): string => etag.trim().replace(/^W\//, '')
