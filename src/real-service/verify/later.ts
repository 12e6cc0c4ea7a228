import { durationText } from '../../emulator/surface/records.js'
import { isTaskFamily } from '../../emulator/surface/registry.js'
import { endTask } from './endings.js'
import { type Exchange, resultUrlsIn } from './exchange.js'
import type { OpenCreate } from './ledger.js'
import type { Session } from './session.js'

/**
 * Looks again at a task that an earlier run has kept: whether its result still opens, and whether it can still be queried, as the
 * emulator has it after the same time.
 * @returns whether everything that time shows of it has been looked at
 */
export const lookAgain = async (
  session: Session,
  { create, operation, kept = [] }: OpenCreate,
  now: number,
): Promise<boolean> => {
  const exchanges = kept as readonly Exchange[]
  const last = exchanges.findLast(({ method }) => method === 'GET')
  const [familyId = ''] = operation.split('.')
  const family = session.pair.registry.taskFamily(familyId)
  if (last === undefined || family === undefined || !isTaskFamily(family)) {
    session.ended(create, 'nothing to look at')
    return true
  }
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
    session.skip(
      `the end of the result of ${familyId}`,
      `it is due on ${due.slice(0, 16).replace('T', ' ')} UTC`,
    )
    return false
  }
  await endTask(session, familyId, idOf(last), create)
  return true
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
