import { decisionContextOf } from '../accounts/decision-context.js'
import type { Account, Callback } from '../core/model/account.js'
import { type Task, viewAt } from '../core/model/task.js'
import { callbackBody } from '../core/scenario/effects/index.js'
import { SECOND } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import { withOverrides } from '../core/task/read.js'
import type { Registry } from '../families/registry.js'
import type { ProfileInForce } from '../profile/in-force.js'
import { signatureHeaders } from './signature.js'

interface CallbackBodyParts {
  /** Undefined where there is no profile. */
  readonly profile?: ProfileInForce | undefined
  readonly registry: Registry
  readonly settings: Settings
  readonly secret: string
}

/**
 * Callback body: the challenge, or the answer of a task query at the instant of the change (§Callbacks), as a scenario step
 * changes it. A string is sent as it is, anything else as JSON.
 */
export type CallbackBodyOf = (account: Account, callback: Callback) => unknown

export const createCallbackBodyOf =
  (parts: CallbackBodyParts): CallbackBodyOf =>
  (account, { kind, task, moment, fault }) => {
    const isChallenge = kind === 'challenge'
    const body = isChallenge
      ? { challenge: task.callback?.challenge ?? '' }
      : queryResponse(parts, account, task, moment)
    return callbackBody(body, fault)
  }

/** Answer of a query that comes at the moment of a task's timeline. */
const queryResponse = (
  { registry, profile, ...source }: CallbackBodyParts,
  account: Account,
  task: Task,
  moment: number,
): unknown => {
  const at = task.timeline[moment]?.at ?? task.createdAt
  const origin = task.callback?.origin ?? ''
  const { requestId } = task
  const context = decisionContextOf(account, at, { origin, requestId, media: new Map(), ...source })
  // Moments can share an instant; what came after this one has not happened yet as far as this message knows.
  const view = { ...viewAt({ ...task, timeline: task.timeline.slice(0, moment + 1) }, at), task }
  const family = registry.taskFamily(task.family)
  const body = withOverrides(family ?? {}, family?.respond.read?.(view, context, family.errors), view)
  return profile === undefined ? body : profile.changeCallback(task, view.phase.state, body, {}).body
}

/** Headers of a message. `text`: its body as it is sent; `usual`: its type and its delivery id. */
export type CallbackHeadersOf = (
  callback: Callback,
  text: string,
  usual: Readonly<Record<string, string>>,
) => Readonly<Record<string, string>>

/** Headers of messages as a profile signs and changes them. */
export const createCallbackHeadersOf =
  (registry: Registry, profile: ProfileInForce, systemNow: () => number): CallbackHeadersOf =>
  ({ id, kind, task, status }, text, usual) => {
    const signature = registry.taskFamily(task.family)?.callback?.delivery?.signature
    const seconds = Math.floor(systemNow() / SECOND)
    const signed = {
      ...usual,
      ...(signature === undefined ? {} : signatureHeaders(signature, { id, seconds, body: text })),
    }
    return kind === 'challenge'
      ? signed
      : profile.changeCallback(task, status ?? '', undefined, signed).headers
  }
