import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MediaSpec } from '../../core/media/spec.js'
import { type Outgoing, overrideReply } from '../../core/scenario/effects/answer.js'
import { faultyFile } from '../../core/scenario/effects/result.js'
import type { MatchedStep } from '../../core/scenario/match.js'
import type { Renderer } from '../../media/render/renderer.js'
import type { FileErrorReply, SendResult } from '../files.js'
import { begins, type Delays, transmit } from './transmit.js'

export interface SendFaultyFileParts {
  readonly renderer: Renderer
  readonly sendResult: SendResult
  readonly delays: Delays
}

/** Sends the file of a result as a step has it. */
export type SendFaultyFile = (
  spec: MediaSpec,
  request: IncomingMessage,
  response: ServerResponse,
  matchedStep: MatchedStep,
  instead: FileErrorReply,
) => Promise<void>

export const createSendFaultyFile = ({
  renderer,
  sendResult,
  delays,
}: SendFaultyFileParts): SendFaultyFile => {
  const fileOf = async (spec: MediaSpec): Promise<Outgoing> => {
    const file = await renderer.open(spec)
    try {
      const headers = { 'Content-Type': file.contentType, ETag: file.etag }
      return { status: 200, headers, bytes: await readFile(file.path) }
    } finally {
      file.release()
    }
  }

  return async (spec, request, response, { does, draw }, instead) => {
    const { transport = {}, answer, result = {} } = does
    if (transport.hang || transport.reset) return transmit(nothing, response, transport, draw, delays)
    if (!isHarmed(does)) {
      if (await begins(response, transport, draw, delays)) await sendResult(spec, request, response, instead)
      else response.destroy()
      return
    }
    const file = faultyFile(await fileOf(spec), result)
    const outgoing = answer === undefined ? file : overrideReply(file, answer, '')
    return transmit(outgoing, response, transport, draw, delays)
  }
}

const nothing: Outgoing = { status: 200, headers: {}, bytes: Buffer.alloc(0) }

// Otherwise the file is sent as ever, ranges included.
const isHarmed = ({ result, answer, transport }: MatchedStep['does']): boolean =>
  result !== undefined ||
  answer !== undefined ||
  transport?.closeAfterBytes !== undefined ||
  transport?.bytesPerSecond !== undefined
