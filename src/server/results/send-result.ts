import { basename, dirname } from 'node:path'
import type { Request, Response } from 'express'
import { EmulatorError } from '../../core/emulator-error.js'
import type { MediaSpec } from '../../core/media/spec.js'
import type { Studio } from '../media/studio/index.js'

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
      await sendFile(response, file)
      file.release()
    } catch (error) {
      if (request.destroyed || gone.signal.aborted) return
      onBug(error)
      sendFailure(response, error)
    }
  }

const sendFile = (response: Response, file: Awaited<ReturnType<Studio['open']>>): Promise<void> =>
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
      (error) => {
        const status = (error as { status?: number } | undefined)?.status
        if (status === 416 && !response.headersSent) response.status(416).end()
        else if (error !== undefined && !response.headersSent) response.status(500).end()
        resolve()
      },
    )
  })

const sendFailure = (response: Response, error: unknown): void => {
  const known = error instanceof EmulatorError ? error : undefined
  response.status(500).json({
    error: {
      code: known?.code ?? 'render-failed',
      message: known?.message ?? `The result could not be drawn: ${String(error)}`,
      hint: known?.hint ?? '',
    },
  })
}
