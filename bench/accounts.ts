import { get, TASKS, wireOf } from './calls.js'
import { load } from './load.js'
import { byTurns, inFullOr, isQuick, medians } from './measure.js'
import { atMost, row, type Table } from './report.js'
import { type Server, set, startBacklot } from './server.js'

const COUNTS = isQuick ? [10, 2_000] : [10, 10_000, 100_000]
const ROUNDS = inFullOr(5, 2)
const CALLS = inFullOr(10_000, 3_000)
/** Calls before the first that counts, of few accounts as of many: until V8 has compiled what runs often. */
const WARM_UP = CALLS * 3
/** So few that the calls of ten accounts fill it as well. */
const JOURNAL_BYTES = 4 * 2 ** 20

/** Server on which so many accounts have been called, and calls of one account after the other. */
const started = async (count: number) => {
  const server: Server = await startBacklot(...set({ maxAccounts: count + 10, journalBytes: JOURNAL_BYTES }))
  const wires = Array.from({ length: count }, (_, nth) =>
    wireOf(server.url, get(`${TASKS}?page_size=10`), `account-${nth}`),
  )
  const wire = (nth: number) => wires[nth % count] as Buffer
  await load(server.url, Math.max(count, WARM_UP), wire)
  return { server, wire }
}

/** What a call costs among few and many accounts, when the journals of all together are as large as they may become. */
export const accounts = async (): Promise<Table[]> => {
  const columns = COUNTS.map((count) => count.toLocaleString('en'))
  const servers = new Map<string, Awaited<ReturnType<typeof started>>>()
  for (const [nth, count] of COUNTS.entries()) servers.set(columns[nth] as string, await started(count))
  const turns = await byTurns(columns, ROUNDS, async (column) => {
    const { server, wire } = servers.get(column) as Awaited<ReturnType<typeof started>>
    const before = await server.usage()
    const { p99 } = await load(server.url, CALLS, wire)
    return { p99, cpuUs: (((await server.usage()).cpuMs - before.cpuMs) / CALLS) * 1_000 }
  })
  await Promise.all([...servers.values()].map(({ server }) => server.stop()))
  const aims = columns.slice(1).map((column) => atMost(1.2, { column, times: '10' }))
  return [
    {
      title: 'Calls, by the accounts held, with full journals',
      rows: [
        row(
          'processor time of a call',
          'µs',
          medians(turns, (turn) => turn.cpuUs),
          ...aims,
        ),
        row(
          '99 of 100 answers came within',
          'ms',
          medians(turns, (turn) => turn.p99),
        ),
      ],
    },
  ]
}
