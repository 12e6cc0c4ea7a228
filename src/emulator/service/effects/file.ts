import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FileSpec } from '../../core/media/spec.js'
import type { Reply } from '../../core/model/call.js'
import type { OutgoingReply } from '../../core/scenario/effects/effect.js'
import { type StepEffects, sendsFileWhole } from '../../core/scenario/effects/index.js'
import { inFormat } from '../../media/render/other-format.js'
import type { RenderedFile } from '../../media/render/renderer.js'
import type { ServiceParts } from '../exchange.js'
import { type FileErrorReply, type FilePart, requestedPart } from '../files.js'

/**
 * A file that was read so that effects change it. `unchanged`: they do not, or the part that is asked for is not there, which is
 * refused as without effects. `instead`: the reply that was sent since the file could not be read.
 */
type FileToChange =
  | { readonly file: OutgoingReply }
  | { readonly instead: Reply }
  | 'unchanged'
  | 'client-left'

/**
 * Reads a file for effects that change it, or the part of it that is asked for.
 * @param fileError the answer where the file cannot be read
 */
export const readFileToChange = async (
  sendResult: ServiceParts['sendResult'],
  result: FileSpec,
  effects: StepEffects,
  request: IncomingMessage,
  response: ServerResponse,
  fileError: FileErrorReply,
): Promise<FileToChange> => {
  if (!changesFile(effects)) return 'unchanged'
  const isWhole = sendsFileWhole(effects)
  let read: FileToChange | undefined
  const keepFile = async (_request: IncomingMessage, _response: ServerResponse, opened: RenderedFile) => {
    const part = isWhole ? 'whole' : await requestedPart(request, opened)
    if (!isWhole) response.setHeader('Accept-Ranges', 'bytes')
    read = part === undefined ? 'unchanged' : { file: await fileReply(opened, part, effects.result?.format) }
    return undefined
  }
  const instead = await sendResult(result, request, response, fileError, keepFile)
  return read ?? (instead === undefined ? 'client-left' : { instead })
}

// Otherwise the file is sent as without a scenario, ranges included: a delay alone comes before it.
const changesFile = ({ result, answer, transport = {} }: StepEffects): boolean =>
  result !== undefined || answer !== undefined || Object.keys(transport).some((key) => key !== 'delay')

const fileReply = async (
  { contentType, etag, path, bytes: size }: RenderedFile,
  part: FilePart | 'whole',
  format: 'jpeg' | 'webp' | undefined,
): Promise<OutgoingReply> => {
  const isOther = format !== undefined && contentType === 'image/png'
  const bytes = isOther ? await inFormat(await readFile(path), format) : await readFile(path)
  const headers = { 'Content-Type': contentType, ETag: etag }
  if (part === 'whole') return { status: 200, headers, body: undefined, bytes }
  const { start, end } = part
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${size}` },
    body: undefined,
    bytes: bytes.subarray(start, end + 1),
  }
}
