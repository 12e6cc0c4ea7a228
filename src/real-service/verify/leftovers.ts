import { counted, warn } from '../../command/command.js'
import { durationText } from '../../emulator/surface/records.js'
import { isTaskFamily } from '../../emulator/surface/registry.js'
import { endTask, endUncompared } from './endings.js'
import { type Exchange, resultUrlsIn } from './exchange.js'
import type { Ledger, OpenCreate } from './ledger.js'
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

/**
 * Looks again at a task that an earlier run has kept: whether its result still opens, and whether it can still be queried, as the
 * emulator has it after the same time. It is ended once time shows nothing more of it.
 */
const lookAgain = async (
  session: Session,
  { create, operation, kept = [] }: OpenCreate,
  now: number,
): Promise<void> => {
  const exchanges = kept as readonly Exchange[]
  const last = exchanges.findLast(({ method }) => method === 'GET')
  const [familyId = ''] = operation.split('.')
  const family = session.pair.registry.taskFamily(familyId)
  if (last === undefined || family === undefined || !isTaskFamily(family))
    return session.ended(create, 'nothing to look at')
  // The emulator has to know the task, and what the service has answered about it.
  for (const exchange of exchanges) await session.pair.compare(exchange)
  const passed = now - last.at
  await lookAtResult(session, last, passed)
  // The clock of the emulator has reached now with the result.
  const later = resultUrlsIn(last.answer.json).length === 0 ? passed : 0
  await session.ask(
    `the task of ${familyId} after ${durationText(passed)}`,
    { method: 'GET', path: last.path },
    { later },
  )
  if (passed < family.resultTtlMs) {
    const due = new Date(last.at + family.resultTtlMs).toISOString()
    return session.skip(
      `the end of the result of ${familyId}`,
      `it is due on ${due.slice(0, 16).replace('T', ' ')} UTC`,
    )
  }
  await endTask(session, familyId, idOf(last), create)
}

const lookAtResult = async (session: Session, last: Exchange, passed: number): Promise<void> => {
  const [url] = resultUrlsIn(last.answer.json)
  if (url === undefined) return
  const says = `its result after ${durationText(passed)}`
  const status = await session.service.fileStatus(url).catch(() => undefined)
  if (status === undefined) return session.skip(says, 'no answer comes from the URL of the result')
  await session.add({
    says,
    method: 'GET',
    path: url,
    key: 'none',
    answer: { status, headers: {} },
    at: Date.now(),
    later: passed,
    statusOnly: true,
  })
}

const idOf = ({ path }: Exchange): string => path.replace(/\?.*$/, '').split('/').at(-1) ?? ''
