import type { Answered, ProfiledAnswer, SentAnswer } from '../../core/journal/entry.js'
import { modelIn, type Reply } from '../../core/model/call.js'
import { JSON_TYPE, outgoingOf, replacesDecision } from '../../core/scenario/effects/answer.js'
import type { AnswerContext, OutgoingReply } from '../../core/scenario/effects/effect.js'
import { applyEffectsOf, type StepEffects, withoutFieldEffects } from '../../core/scenario/effects/index.js'
import type { ChangedReply } from '../../profile/answers.js'
import type { DecidedExchange, ResolvedExchange, ServiceParts } from '../exchange.js'
import { plainFailure } from '../failures.js'

type Profile = ServiceParts['profile']

/** The answer under the effects of a step: as it goes out, and as the journal keeps it. */
export const answerUnder = (
  profile: Profile,
  exchange: DecidedExchange,
  effects: StepEffects,
  context: AnswerContext,
): { readonly sent: OutgoingReply; readonly reply: Reply; readonly answered: Answered } => {
  const { requestId, decision } = exchange
  const { sent: outgoing, ...kept } = answerWithEffects(decision.reply, requestId, effects, context)
  const changed = changedBeforeEffects(profile, exchange, effects)
  if (changed === undefined) return { sent: outgoing, ...kept }
  const raised = { ...context, raise: () => changed.reply }
  const { sent } = answerWithEffects(changed.reply, requestId, effects, raised)
  const { reply, answered } = kept
  const profiled = profiledAnswerOf(changed, journalReplyOf(sent))
  const fields = answered.changed === undefined ? {} : { changed: profiled }
  return { sent, reply, answered: { ...answered, profile: profiled, ...fields } }
}

/** What the profile makes of an answer before a scenario acts on it; of an error that a step raises, of that. */
const changedBeforeEffects = (
  profile: Profile,
  exchange: DecidedExchange,
  effects: StepEffects,
): ChangedReply | undefined => {
  const { subject, requestId, decision } = exchange
  const { answer = {} } = effects
  if (subject === undefined || profile === undefined) return undefined
  const { error } = answer
  if (error === undefined)
    return replacesDecision(answer) ? undefined : profile.change(decision.reply, subject)
  const raised = answerContextOf(exchange, requestId, effects).raise(error, {
    retryAfterSeconds: answer.retryAfter,
  })
  return profile.change(raised, { operations: subject.operations, error })
}

/**
 * A reply under the effects of a step: as it goes out, as the journal keeps it, which is without the changes of single fields,
 * and with these beside it.
 */
export const answerWithEffects = (
  decided: Reply,
  requestId: string,
  effects: StepEffects,
  context: AnswerContext,
): { readonly sent: OutgoingReply; readonly reply: Reply; readonly answered: Answered } => {
  const before = outgoingOf(decided, requestId)
  const sent = applyEffectsOf('answer', effects, before, context)
  if (effects.answer === undefined) return { sent, reply: decided, answered: answeredText(sent) }
  const deciding = withoutFieldEffects(effects)
  if (deciding === effects) return { sent, reply: journalReplyOf(sent), answered: answeredText(sent) }
  const kept = applyEffectsOf('answer', deciding, before, context)
  const reply = deciding.answer === undefined ? decided : journalReplyOf(kept)
  return { sent, reply, answered: { ...answeredText(kept), changed: sentAnswerOf(journalReplyOf(sent)) } }
}

/** What the journal keeps of an answer that a profile has changed. */
export const profiledAnswerOf = ({ by, missing }: ChangedReply, reply: Reply): ProfiledAnswer => ({
  by,
  missing,
  ...sentAnswerOf(reply),
})

const sentAnswerOf = ({ status, headers, body }: Reply): SentAnswer => ({
  status,
  body,
  ...(headers === undefined ? {} : { headers }),
})

/** Context of the effects on the answer to a call. */
export const answerContextOf = (
  { operation, call }: ResolvedExchange,
  requestId: string,
  { answer = {} }: StepEffects,
): AnswerContext => ({
  requestId,
  raise: (error, refusal) =>
    operation?.raise(error, { ...refusal, found: modelIn(call.body) }, requestId) ?? plainFailure(),
  values: answer,
})

// The request id is in the journal anyway, and JSON is what answers are unless a header says something else.
const journalReplyOf = ({ status, headers, body }: OutgoingReply): Reply => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'X-Request-Id' && value !== JSON_TYPE),
  ),
  body,
})

// A body that is a string is a text, or JSON in quotes: the bytes say which.
const answeredText = ({ body, bytes }: OutgoingReply): Answered =>
  typeof body === 'string' ? { text: bytes.toString('utf8') } : {}
