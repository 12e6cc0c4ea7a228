import { fileURLToPath } from 'node:url'
import { type Call, control, creates, wireOf } from './calls.js'
import { load } from './load.js'
import { inFullOr, timed } from './measure.js'
import { atLeast, row, type Table } from './report.js'
import { startBacklot, startServer } from './server.js'

const TASKS = inFullOr(10_000, 2_000)

interface Report {
  readonly deliveries: number
  readonly wrong: number
  readonly whole: number
}

/** Tasks of F with a callback address through their whole life, to a receiver in a process of its own. */
export const callbacks = async (): Promise<Table[]> => {
  const receiver = await startServer(fileURLToPath(new URL('receiver.mjs', import.meta.url)))
  const { url, stop } = await startBacklot('--clock', 'paused')
  const create: Call = { ...creates.F, body: { ...creates.F.body, callback_url: `${receiver.url}/hook` } }
  const seen = async () => (await (await fetch(receiver.url)).json()) as Report
  await load(url, TASKS, wireOf(url, create))
  const before = await seen()
  const ms = await timed(() => control(url, 'clock/advance', { to: 'idle' }))
  const after = await seen()
  await Promise.all([stop(), receiver.stop()])
  const rate = ((after.deliveries - before.deliveries) / ms) * 1_000
  return [
    {
      title: `Callbacks of ${TASKS.toLocaleString('en')} tasks while the clock advances`,
      rows: [
        row('deliveries', 'a second', rate, atLeast(1_000)),
        row(
          'tasks reported whole and in order',
          'tasks',
          after.wrong === 0 ? after.whole : 0,
          atLeast(TASKS),
        ),
      ],
    },
  ]
}
