import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'
import type { Request, Response } from 'express'
import type { Reply } from '../core/contract.js'
import { EmulatorError } from '../core/errors.js'
import type { Answered } from '../core/journal/entry.js'
import type { MediaSpec } from '../core/media/spec.js'
import { explainSystemError } from '../core/system-error.js'
import type { RenderedFile, Renderer } from '../media/render/renderer.js'

interface SendResultParts {
  readonly renderer: Renderer
  readonly onInternalError: (error: unknown) => void
}

/** What is answered in place of a file that cannot be drawn or read. `isBusy`: it may be there in a moment. */
export type FileErrorReply = (cause: EmulatorError, isBusy: boolean) => Reply

/**
 * Draws a result and sends its bytes, or the range of them that was asked for; settled when the answer is over, with what
 * was answered in place of the file where it could not be had.
 */
export type SendResult = (
  spec: MediaSpec,
  request: Request,
  response: Response,
  instead?: FileErrorReply,
) => Promise<Reply | undefined>

export const createSendResult =
  ({ renderer, onInternalError }: SendResultParts): SendResult =>
  async (spec, request, response, instead = ofEmulator) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      const file = await renderer.open(spec, gone.signal)
      const error = await sendFile(request, response, file).finally(() => file.release())
      return error === undefined || response.headersSent ? undefined : sendTrouble(response, error, instead)
    } catch (error) {
      if (request.destroyed || gone.signal.aborted) return undefined
      // The studio tells of its own failures, once for all calls that meet them.
      if (!(error instanceof EmulatorError)) onInternalError(error)
      return sendInstead(response, error, instead)
    }
  }

/** Resolves when the answer is over, with what went wrong where something did. */
const sendFile = (request: Request, response: Response, file: RenderedFile): Promise<SendError | undefined> =>
  new Promise((resolve) => {
    response.set({ ETag: file.etag, 'Cache-Control': 'private, max-age=3600' })
    if (isUnchanged(request.headers, file.etag)) {
      response.status(304).end()
      return resolve(undefined)
    }
    response.set('Content-Type', file.contentType)
    // A root and a name: an absolute path is refused where one of its folders begins with a dot.
    response.sendFile(
      basename(file.path),
      { root: dirname(file.path), etag: false, lastModified: false, cacheControl: false, dotfiles: 'allow' },
      (error?: SendError) => resolve(error),
    )
  })

interface SendError extends NodeJS.ErrnoException {
  readonly status?: number
}

// 412 and 416 are what the request asked for; everything else is that the file cannot be read any more.
const sendTrouble = (response: Response, error: SendError, instead: FileErrorReply): Reply | undefined => {
  if (error.status !== 412 && error.status !== 416)
    return sendInstead(
      response,
      explainSystemError('The result was drawn and cannot be read', error),
      instead,
    )
  response.status(error.status).end()
  return undefined
}

const sendInstead = (response: Response, error: unknown, instead: FileErrorReply): Reply => {
  // They are those of the file that is not sent.
  for (const name of ['Content-Type', 'ETag', 'Cache-Control']) response.removeHeader(name)
  const cause = error instanceof EmulatorError ? error : unexpected(error)
  const reply = instead(cause, cause.code === 'renders-full')
  response
    .status(reply.status)
    .set(reply.headers ?? {})
    .json(reply.body)
  return reply
}

const unexpected = (error: unknown): EmulatorError =>
  new EmulatorError(`The result could not be drawn: ${String(error)}`, {
    code: 'render-failed',
    cause: error,
  })

/** A download is of no family, so the emulator says it in words of its own. */
const ofEmulator: FileErrorReply = ({ code, message, hint = '' }, isBusy) => ({
  status: isBusy ? 503 : 500,
  ...(isBusy ? { headers: { 'Retry-After': '1' } } : {}),
  body: { error: { code, message, hint } },
})

const KEPT = ['content-type', 'content-range', 'etag']

/** What is kept of an answer that was a file: what it says of itself, and how long it is. */
export const answeredFile = (response: ServerResponse): Answered => {
  const length = response.getHeader('content-length')
  const headers = KEPT.flatMap((name) => {
    const value = response.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { headers: Object.fromEntries(headers), bytes: length === undefined ? 0 : Number(length) }
}

/**
 * Whether the caller has the file already, as `If-None-Match` says (RFC 9110, 13.1.2). Object stores ask nothing else: a
 * `Cache-Control: no-cache` beside it, which Node's fetch adds by itself, is for the caches on the way.
 */
export const isUnchanged = (headers: IncomingHttpHeaders, etag: string): boolean => {
  const known = headers['if-none-match']
  // Where both are asked, the other one comes first.
  if (known === undefined || headers['if-match'] !== undefined) return false
  return known.trim() === '*' || known.split(',').some((one) => opaque(one) === opaque(etag))
}

/** Without what says that it is weak: two are compared as if both were. */
const opaque = (etag: string): string => etag.trim().replace(/^W\//, '')
