import { readFile } from 'node:fs/promises'
import type { Request, Response } from 'express'
import type { MediaSpec } from '../../core/media/spec.js'
import type { Cue } from '../../core/scenario/ask.js'
import type { Studio } from '../media/studio/index.js'
import type { InPlaceOfFile, SendResult } from '../results/send-result.js'
import { answered } from './answered.js'
import type { Outgoing } from './outgoing.js'
import { faultyFile } from './result-file.js'
import { begins, transmit } from './transmit.js'
import type { Waits } from './waits.js'

export interface SendHarmedParts {
  readonly studio: Studio
  readonly sendResult: SendResult
  readonly waits: Waits
}

/** Sends the file of a result as a step has it. */
export type SendHarmed = (
  spec: MediaSpec,
  request: Request,
  response: Response,
  cue: Cue,
  instead?: InPlaceOfFile,
) => Promise<void>

export const createSendHarmed = ({ studio, sendResult, waits }: SendHarmedParts): SendHarmed => {
  const fileOf = async (spec: MediaSpec): Promise<Outgoing> => {
    const file = await studio.open(spec)
    try {
      const headers = { 'Content-Type': file.contentType, ETag: file.etag }
      return { status: 200, headers, bytes: await readFile(file.path) }
    } finally {
      file.release()
    }
  }

  return async (spec, request, response, { does, draw }, instead) => {
    const { transport = {}, answer, result = {} } = does
    if (transport.hang || transport.reset) return transmit(nothing, response, transport, draw, waits)
    if (!isHarmed(does)) {
      if (await begins(response, transport, draw, waits)) await sendResult(spec, request, response, instead)
      else response.destroy()
      return
    }
    const file = faultyFile(await fileOf(spec), result)
    const outgoing = answer === undefined ? file : answered(file, answer, '')
    return transmit(outgoing, response, transport, draw, waits)
  }
}

const nothing: Outgoing = { status: 200, headers: {}, bytes: Buffer.alloc(0) }

// Otherwise the file is sent as ever, ranges included.
const isHarmed = ({ result, answer, transport }: Cue['does']): boolean =>
  result !== undefined ||
  answer !== undefined ||
  transport?.closeAfterBytes !== undefined ||
  transport?.bytesPerSecond !== undefined
