import { counted, warn } from '../../command/command.js'
import { lookAgain } from './later.js'
import type { Ledger, OpenCreate } from './ledger.js'
import type { Session } from './session.js'
import { endOf } from './steps.js'

/** Ends what an earlier run has left: one that was killed, or one that has kept tasks for a later look. */
export const endLeftovers = async (session: Session, ledger: Ledger, isResumed: boolean): Promise<void> => {
  for (const one of ledger.open) {
    if (one.kept !== undefined && isResumed) await lookAgain(session, one, Date.now())
    if (one.kept !== undefined) continue
    warn(`An earlier run has not ended ${one.says}, sent at ${one.at}.`)
    if (one.task !== undefined) await endLeftover(session, one, one.task)
    else {
      warn(`No answer came, so that it may have made a task: look for one of that time at the service.`)
      ledger.ended(one.create, 'unknown')
    }
  }
}

const CONFLICT = 409

/** Ends a task of an earlier run. The emulator does not know it, so that nothing is compared. */
const endLeftover = async (
  session: Session,
  { operation, create }: OpenCreate,
  task: string,
): Promise<void> => {
  const call = endOf(session, operation.replace(/\..*$/, ''), task)
  if (call === undefined) return session.ended(create, 'nothing to end')
  const answer = await session.look('the end of the task of an earlier run', call)
  if (answer === undefined) return
  // A task that runs can be deleted once it has ended: the next run tries again.
  if (answer.status !== CONFLICT) session.ended(create, `${call.method} ${answer.status}`)
  warn(`${call.method} of it is answered with ${answer.status}.`)
}

/** Says what is open at the end of a run, and what is kept for a later look. */
export const tellOpen = ({ open, file }: Ledger): void => {
  for (const { says, at, task } of open.filter(({ kept }) => kept === undefined)) {
    const made = task === undefined ? ', which may have made a task' : `, task ${task}`
    warn(`Not ended: ${says}, sent at ${at}${made}. ${file} keeps it.`)
  }
  const kept = open.filter((one) => one.kept !== undefined).length
  if (kept > 0)
    warn(`${counted(kept, 'task')} ${kept === 1 ? 'is' : 'are'} kept in ${file}: --resume looks again.`)
}
