import { basename, dirname } from 'node:path'
import type { Request, Response } from 'express'
import { EmulatorError } from '../../core/emulator-error.js'
import type { MediaSpec } from '../../core/media/spec.js'
import type { RenderedFile, Studio } from '../media/studio/index.js'
import { explainedBySystem } from '../system-error.js'

export interface SendResultParts {
  readonly studio: Studio
  readonly onBug: (error: unknown) => void
}

/** Draws a result and sends its bytes, or the range of them that was asked for; settled when the answer is over. */
export type SendResult = (spec: MediaSpec, request: Request, response: Response) => Promise<void>

export const createSendResult =
  ({ studio, onBug }: SendResultParts): SendResult =>
  async (spec, request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      const file = await studio.open(spec, gone.signal)
      const error = await sendFile(response, file).finally(() => file.release())
      if (error !== undefined && !response.headersSent) sendTrouble(response, error)
    } catch (error) {
      if (request.destroyed || gone.signal.aborted) return
      // The studio tells of its own failures, once for all calls that meet them.
      if (!(error instanceof EmulatorError)) onBug(error)
      sendFailure(response, error)
    }
  }

/** Resolves when the answer is over, with what went wrong where something did. */
const sendFile = (response: Response, file: RenderedFile): Promise<SendError | undefined> =>
  new Promise((resolve) => {
    response.set({
      'Content-Type': file.contentType,
      ETag: file.etag,
      'Cache-Control': 'private, max-age=3600',
    })
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
const sendTrouble = (response: Response, error: SendError): void => {
  if (error.status === 412 || error.status === 416) return void response.status(error.status).end()
  sendFailure(response, explainedBySystem('The result was drawn and cannot be read', error))
}

const sendFailure = (response: Response, error: unknown): void => {
  const known = error instanceof EmulatorError ? error : undefined
  // They are those of the file that is not sent.
  for (const name of ['Content-Type', 'ETag', 'Cache-Control']) response.removeHeader(name)
  const isFull = known?.code === 'renders-full'
  if (isFull) response.set('Retry-After', '1')
  response.status(isFull ? 503 : 500).json({
    error: {
      code: known?.code ?? 'render-failed',
      message: known?.message ?? `The result could not be drawn: ${String(error)}`,
      hint: known?.hint ?? '',
    },
  })
}
