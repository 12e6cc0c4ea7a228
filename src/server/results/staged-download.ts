import type { Reply } from '../../core/operation.js'
import { replacesDecision } from '../../core/scenario/answer.js'
import type { Cue } from '../../core/scenario/ask.js'
import type { Answer } from '../../core/scenario/then.js'
import { refusalOf, refusalXml } from './refusal-xml.js'
import type { Resolved } from './results.js'

/** A download that a step acts on, in the terms of every other call. */
export interface StagedDownload {
  readonly cue: Cue
  readonly decided: Reply
}

/** What a download answers where a step acts: the file, or the refusal that the step or the truth asks for. */
export const stagedDownload = (cue: Cue, resolved: Resolved, requestId: string): StagedDownload => {
  const { answer, result } = cue.does
  const refusal = result?.expired ? 'denied' : result?.missing ? 'gone' : trueRefusal(resolved)
  if (refusal === undefined && resolved.state === 'there')
    return { cue, decided: { status: 200, body: undefined, result: resolved.spec } }
  const refused = refusedWith(refusal ?? 'gone', requestId)
  const merged = answer !== undefined && replacesDecision(answer) ? answer : { ...refused, ...answer }
  return { cue: { ...cue, does: { ...cue.does, answer: merged } }, decided: { status: 200, body: undefined } }
}

const trueRefusal = ({ state }: Resolved): 'denied' | 'gone' | undefined =>
  state === 'there' ? undefined : refusalOf(state)

const refusedWith = (state: 'denied' | 'gone', requestId: string): Answer => {
  const { status, body } = refusalXml(state, requestId)
  return { status, contentType: 'application/xml; charset=utf-8', text: body }
}
