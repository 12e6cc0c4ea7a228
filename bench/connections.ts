import { creates, wireOf } from './calls.js'
import { load } from './load.js'
import { inFullOr } from './measure.js'
import { atMost, row, type Table } from './report.js'
import { startBacklot } from './server.js'

const CONNECTIONS = inFullOr(10_000, 2_000)
const REQUESTS = 5 * CONNECTIONS
/** Milliseconds after which a usual client gives up. */
const TIMEOUT_MS = 10_000

/** Very many connections that all call without a pause. */
export const connections = async (): Promise<Table[]> => {
  const { url, usage, stop } = await startBacklot()
  await load(url, 5_000, wireOf(url, creates.B))
  await usage('lateness')
  const { longest, p50 } = await load(url, REQUESTS, wireOf(url, creates.B), CONNECTIONS)
  const { lateMs } = await usage()
  await stop()
  return [
    {
      title: `B creates on ${CONNECTIONS.toLocaleString('en')} connections at once`,
      rows: [
        row('the event loop was late by at most', 'ms', lateMs, atMost(250)),
        row('half of the answers came within', 'ms', p50),
        row('longest wait for an answer', 'ms', longest, atMost(TIMEOUT_MS)),
      ],
    },
  ]
}
