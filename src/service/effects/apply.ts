import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answered } from '../../core/journal/entry.js'
import type { MediaSpec } from '../../core/media/spec.js'
import type { Reply } from '../../core/model/call.js'
import { JSON_TYPE, outgoingOf, replacesDecision } from '../../core/scenario/effects/answer.js'
import type { AnswerContext, Delivery, OutgoingReply } from '../../core/scenario/effects/effect.js'
import { applyEffectsOf, type StepEffects } from '../../core/scenario/effects/index.js'
import { completeDelivery } from '../../core/scenario/effects/transport.js'
import type { MatchedStep } from '../../core/scenario/match.js'
import type { RenderedFile } from '../../media/render/renderer.js'
import { type FileErrorReply, type FilePart, requestedPart, type SendResult } from '../files.js'
import { type Delays, isCutOff, transmit, waitForDelay } from './transmit.js'

/** A call on which a step acts, decided and about to be answered. */
interface AffectedCall {
  readonly step: MatchedStep
  readonly decided: Reply
  /** The family's reply with an error of its table. */
  readonly raise: AnswerContext['raise']
  /** What is answered where the file of a result cannot be had. */
  readonly fileError: FileErrorReply
  /** Sends a file as without a scenario, and records what was sent. */
  readonly sendFile: (result: MediaSpec) => Promise<void>
  readonly requestId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Called with the answer before it is sent, since sending can take for ever. */
  readonly record: (reply: Reply, answered: Answered) => void
}

interface ApplyEffectsParts {
  readonly delays: Delays
  readonly sendResult: SendResult
}

/** Answers a call with the effects of the step that acts on it; resolves when the answer is over. */
export type ApplyEffects = (call: AffectedCall) => Promise<void>

export const createApplyEffects =
  ({ delays, sendResult }: ApplyEffectsParts): ApplyEffects =>
  async ({ step, decided, raise, fileError, sendFile, requestId, request, response, record }) => {
    const { effects, random } = step
    const delivery = applyEffectsOf('transport', effects, completeDelivery, random)
    const context: AnswerContext = { requestId, raise, values: effects.answer ?? {} }
    const { result } = decided
    if (result === undefined || replacesDecision(context.values)) {
      const outgoing = applyEffectsOf('answer', effects, outgoingOf(decided, requestId), context)
      const reply = effects.answer === undefined ? decided : journalReplyOf(outgoing)
      const text = reply.text ?? (typeof reply.body === 'string' ? reply.body : undefined)
      const connection = connectionOutcome(delivery, isCutOff(delivery, outgoing, request))
      record(reply, { ...(text === undefined ? {} : { text }), ...connection })
      return transmit(outgoing, response, delivery, delays)
    }
    response.setHeader('X-Request-Id', requestId)
    if (delivery.end === 'never' || delivery.end === 'reset') {
      record(decided, connectionOutcome(delivery))
      return transmit(outgoingOf(decided, requestId), response, delivery, delays)
    }
    if (changesFile(effects)) {
      let file: OutgoingReply | 'no byte' | undefined
      const keepFile = async (_request: IncomingMessage, _response: ServerResponse, opened: RenderedFile) => {
        const part = hasParts(effects) ? await requestedPart(request, opened) : 'whole'
        if (hasParts(effects)) response.setHeader('Accept-Ranges', 'bytes')
        file = part === undefined ? 'no byte' : await fileReply(opened, part)
        return undefined
      }
      const unsent = await sendResult(result, request, response, fileError, keepFile)
      // Undefined, too, where the client has left while the file was rendered.
      if (file === undefined)
        return record(unsent ?? decided, unsent === undefined ? { broken: 'silent' } : {})
      if (file !== 'no byte') {
        const changed = applyEffectsOf('result', effects, file, undefined)
        const outgoing = applyEffectsOf('answer', effects, changed, context)
        const connection = connectionOutcome(delivery, isCutOff(delivery, outgoing, request))
        record({ ...decided, status: outgoing.status }, connection)
        return transmit(outgoing, response, delivery, delays)
      }
    }
    if (await waitForDelay(response, delivery, delays)) return sendFile(result)
    record(decided, { broken: 'silent' })
    response.destroy()
  }

// The request id is in the journal anyway, and JSON is what answers are unless a header says something else.
const journalReplyOf = ({ status, headers, body }: OutgoingReply): Reply => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'X-Request-Id' && value !== JSON_TYPE),
  ),
  body,
})

/** What becomes of the connection, in the journal's words. */
const connectionOutcome = ({ end }: Delivery, isCut = false): Answered => {
  if (isCut) return { broken: 'cut' }
  if (end === 'complete' || end === 'cut') return {}
  return { broken: end === 'never' ? 'silent' : end }
}

// Otherwise the file is sent as without a scenario, ranges included: a delay alone comes before it.
const changesFile = ({ result, answer, transport = {} }: StepEffects): boolean =>
  result !== undefined || answer !== undefined || Object.keys(transport).some((key) => key !== 'delay')

// A file that is another one, or shorter, has none.
const hasParts = ({ result, answer }: StepEffects): boolean =>
  result === undefined && answer?.cutAt === undefined

const fileReply = async (
  { contentType, etag, path, bytes: size }: RenderedFile,
  part: FilePart | 'whole',
): Promise<OutgoingReply> => {
  const bytes = await readFile(path)
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
