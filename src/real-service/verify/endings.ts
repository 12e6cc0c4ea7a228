import { warn } from '../../command/command.js'
import { fillPath, paramNames } from '../../emulator/surface/paths.js'
import type { AskedCall } from './exchange.js'
import type { Session } from './session.js'

/** Cancels or deletes a task where its family can, and compares the answer; anywhere else it ends by itself. */
export const endTask = async (
  session: Session,
  familyId: string,
  id: string | undefined,
  create: number,
): Promise<void> => {
  const call = endOf(session, familyId, id)
  if (call === undefined) return session.ended(create, 'nothing to end')
  const answer = await session.ask(`the end of the task of ${familyId}`, call)
  if (answer !== undefined) session.ended(create, `${call.method} ${answer.status}`)
}

const CONFLICT = 409

/** The same for a task that the emulator does not know, so that nothing can be compared: says what became of it. */
export const endUncompared = async (
  session: Session,
  familyId: string,
  id: string | undefined,
  create: number,
): Promise<void> => {
  const call = endOf(session, familyId, id)
  if (call === undefined) {
    // A picture is there at once, and nothing of it goes on.
    const goesOn = id !== undefined && callAbout(session, `${familyId}.read`, id) !== undefined
    if (goesOn) warn(`${familyId} has no call that ends a task: it ends by itself.`)
    return session.ended(create, 'nothing to end')
  }
  const answer = await session.look(`the end of the task of ${familyId}`, call)
  if (answer === undefined) return
  warn(`${call.method} of it is answered with ${answer.status}.`)
  // A task that runs can be deleted once it has ended: the next run tries again.
  if (answer.status !== CONFLICT) session.ended(create, `${call.method} ${answer.status}`)
}

/** The call that cancels or deletes a task. Undefined where its family has none, or the task has no id. */
const endOf = (session: Session, familyId: string, id: string | undefined): AskedCall | undefined =>
  id === undefined ? undefined : callAbout(session, `${familyId}.cancel`, id)

/** The call of an operation about a task. Undefined where there is no such operation. */
export const callAbout = (session: Session, operation: string, id: string): AskedCall | undefined => {
  const found = session.pair.registry.operations.find((one) => one.id === operation)
  const [name] = found === undefined ? [] : paramNames(found.route.path)
  if (found === undefined || name === undefined) return undefined
  return { method: found.route.method, path: fillPath(found.route.path, { [name]: id }) }
}
