import { counted, warn } from '../../command/command.js'
import { endUncompared } from './endings.js'
import { lookAgain } from './later.js'
import type { Ledger } from './ledger.js'
import type { Session } from './session.js'

/** Ends what an earlier run has left: one that was killed, or one that has kept tasks for a later look. */
export const endLeftovers = async (session: Session, ledger: Ledger, isResumed: boolean): Promise<void> => {
  for (const one of ledger.open) {
    if (one.kept !== undefined && isResumed) await lookAgain(session, one, Date.now())
    if (one.kept !== undefined) continue
    warn(`An earlier run has not ended ${one.says}, sent at ${one.at}.`)
    if (one.task !== undefined)
      await endUncompared(session, one.operation.replace(/\..*$/, ''), one.task, one.create)
    else {
      warn(`No answer came, so that it may have made a task: look for one of that time at the service.`)
      ledger.ended(one.create, 'unknown')
    }
  }
}

/** Says what is open at the end of a run, and what is kept for a later look. */
export const tellOpen = ({ open, file }: Ledger): void => {
  for (const { says, at, task } of open.filter(({ kept }) => kept === undefined)) {
    const made = task === undefined ? ', which may have made a task' : `, task ${task}`
    warn(`Not ended: ${says}, sent at ${at}${made}. ${file} keeps it, and the next run ends it.`)
  }
  const kept = open.filter((one) => one.kept !== undefined).length
  if (kept > 0)
    warn(`${counted(kept, 'task')} ${kept === 1 ? 'is' : 'are'} kept in ${file}: --resume looks again.`)
}
