import type { Reply } from '../../core/operation.js'
import { replacesDecision } from '../../core/scenario/answer.js'
import type { MatchedStep } from '../../core/scenario/ask.js'
import type { Answer } from '../../core/scenario/then.js'
import { refusalOf, refusalXml } from './refusal-xml.js'
import type { ResolvedResult } from './results.js'

/** A download that a step acts on, in the terms of every other call. */
export interface StagedDownload {
  readonly matchedStep: MatchedStep
  readonly decided: Reply
}

/** What a download answers where a step acts: the file, or the refusal that the step or the truth asks for. */
export const stagedDownload = (
  matchedStep: MatchedStep,
  resolved: ResolvedResult,
  requestId: string,
): StagedDownload => {
  const { answer, result } = matchedStep.does
  const refusal = result?.expired ? 'denied' : result?.missing ? 'gone' : trueRefusal(resolved)
  if (refusal === undefined && resolved.state === 'there')
    return { matchedStep, decided: { status: 200, body: undefined, result: resolved.spec } }
  const refused = refusedWith(refusal ?? 'gone', requestId)
  const merged = answer !== undefined && replacesDecision(answer) ? answer : { ...refused, ...answer }
  return {
    matchedStep: { ...matchedStep, does: { ...matchedStep.does, answer: merged } },
    decided: { status: 200, body: undefined },
  }
}

const trueRefusal = ({ state }: ResolvedResult): 'denied' | 'gone' | undefined =>
  state === 'there' ? undefined : refusalOf(state)

const refusedWith = (state: 'denied' | 'gone', requestId: string): Answer => {
  const { status, body } = refusalXml(state, requestId)
  return { status, contentType: 'application/xml; charset=utf-8', text: body }
}
