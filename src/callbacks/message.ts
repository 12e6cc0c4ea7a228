import { worldOf } from '../accounts/decision-context.js'
import type { AnyTaskFamily } from '../core/contract.js'
import type { ResolvedMedia } from '../core/media/input.js'
import type { Account, Callback } from '../core/model/account.js'
import { type Task, viewAt } from '../core/model/task.js'
import { callbackBody } from '../core/scenario/effects/index.js'
import type { Settings } from '../core/settings.js'
import { withOverrides } from '../core/task/read.js'

/** The header that names a delivery, the same on every attempt. */
export const DELIVERY_ID_HEADER = 'X-Backlot-Delivery-Id'

interface MessageParts {
  readonly families: readonly AnyTaskFamily[]
  readonly settings: Settings
  readonly secret: string
}

/** What a callback says: the challenge, or what a task query would have answered at the instant of the change (§Callbacks), as a step changes it. A string is sent as it stands. */
export type CallbackBodyOf = (account: Account, callback: Callback) => unknown

export const createCallbackBodyOf =
  (parts: MessageParts): CallbackBodyOf =>
  (account, { kind, task, moment, fault }) =>
    callbackBody(
      kind === 'challenge'
        ? { challenge: task.callback?.challenge ?? '' }
        : queryResponse(parts, account, task, moment),
      fault,
    )

const nothingFound: ReadonlyMap<string, ResolvedMedia> = new Map()

const queryResponse = (
  { families, settings, secret }: MessageParts,
  account: Account,
  task: Task,
  moment: number,
): unknown => {
  const at = task.timeline[moment]?.at ?? task.createdAt
  const origin = task.callback?.origin ?? ''
  const world = worldOf(account, at, {
    settings,
    secret,
    origin,
    requestId: task.requestId,
    found: nothingFound,
  })
  // Moments can share an instant; what came after this one has not happened yet as far as this message knows.
  const view = { ...viewAt({ ...task, timeline: task.timeline.slice(0, moment + 1) }, at), task }
  const family = families.find(({ id }) => id === task.family)
  return withOverrides(family ?? {}, family?.respond.read?.(view, world), view)
}
