import type { CallbackAddress } from '../callback/callback.js'
import { CHALLENGE_LENGTH } from '../callback/challenge.js'
import type { DecisionContext } from '../world.js'
import type { AnyTaskFamily } from './family.js'
import { expiringAt } from './life.js'
import type { TaskTimeline } from './phase.js'
import type { Task } from './task.js'

/** The record of a new task, with everything that will come of it. */
export const taskOf = (family: AnyTaskFamily, input: unknown, world: DecisionContext): Task => {
  const order = family.order(input, world)
  const id = family.newId(world)
  const callback = callbackOf(family, input, world)
  return {
    id,
    family: family.id,
    account: world.account.key,
    model: (input as { model: string }).model,
    requestId: world.requestId,
    createdAt: world.now,
    order,
    life: timelineOf(family, order, world, id),
    price: family.price?.(order, world.settings) ?? 0,
    ...(callback === undefined ? {} : { callback }),
  }
}

const callbackOf = (
  { callback }: AnyTaskFamily,
  input: unknown,
  { origin, draw }: DecisionContext,
): CallbackAddress | undefined => {
  const url = callback?.url(input)
  if (callback === undefined || url === undefined) return undefined
  return {
    url,
    origin,
    ...(callback.handshake ? { challenge: draw.hex('challenge', CHALLENGE_LENGTH) } : {}),
  }
}

const timelineOf = (
  family: AnyTaskFamily,
  order: unknown,
  world: DecisionContext,
  id: string,
): TaskTimeline => {
  const life = family.lifecycle(order, world, id)
  const deadline = family.deadline?.(order, world.now)
  return deadline === undefined ? life : expiringAt(life, deadline)
}
