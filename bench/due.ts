import { setTimeout } from 'node:timers/promises'
import { ask, control, creates, get, TASKS, waitForIdle, wireOf } from './calls.js'
import { load } from './load.js'
import { inFullOr, timed } from './measure.js'
import { atMost, row, type Table } from './report.js'
import { startBacklot } from './server.js'

const MANY = inFullOr(100_000, 10_000)
/** With the timing `fast`, tasks made at the same time end within a second and a half of their clock. */
const SPEED = 1.5

/** Server whose account holds so many tasks that are all still to begin, on a clock that stands. */
const filled = async () => {
  const server = await startBacklot('--clock', 'paused')
  await load(server.url, MANY, wireOf(server.url, creates.B))
  await server.usage('lateness')
  // The first interval that is measured begins now.
  await setTimeout(50)
  await server.usage()
  return server
}

/** Longest wait of another account that calls all the time until something is done. */
const longestWaitBeside = async (url: string, done: Promise<unknown>): Promise<number> => {
  let isDone = false
  const watched = done.finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone)
    longest = Math.max(longest, await timed(() => ask(url, get(`${TASKS}?page_size=10`), 'another-account')))
  await watched
  return longest
}

const advancing = async (): Promise<Table> => {
  const { url, usage, stop } = await filled()
  let answer: unknown
  let waited = 0
  const ms = await timed(async () => {
    const advance = control(url, 'clock/advance', { to: 'idle' })
    waited = await longestWaitBeside(url, advance)
    answer = await advance
  })
  const { lateMs } = await usage()
  await stop()
  return {
    title: `An advance over ${MANY.toLocaleString('en')} tasks`,
    rows: [
      row('the event loop was late by at most', 'ms', lateMs, atMost(20)),
      row('longest wait of another account', 'ms', waited),
      row('until it was answered', 'ms', ms),
      row('bytes of its answer', 'KB', JSON.stringify(answer).length / 1_000),
    ],
  }
}

const ending = async (): Promise<Table> => {
  const { url, usage, stop } = await filled()
  await ask(url, { method: 'PUT', path: '/_backlot/clock', body: { mode: 'live', speed: SPEED } })
  const waited = await longestWaitBeside(url, waitForIdle(url))
  const { lateMs } = await usage()
  await stop()
  return {
    title: `${MANY.toLocaleString('en')} tasks that end in one second of a live clock`,
    rows: [
      row('the event loop was late by at most', 'ms', lateMs, atMost(20)),
      row('longest wait of another account', 'ms', waited),
    ],
  }
}

/** What happens to others while very much falls due. */
export const due = async (): Promise<Table[]> => [await advancing(), await ending()]
