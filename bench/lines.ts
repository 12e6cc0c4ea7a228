import { ask, creates, get, TASKS, wireOf } from './calls.js'
import { load } from './load.js'
import { byTurns, inFullOr, median } from './measure.js'
import { atLeast, row, type Table } from './report.js'
import { startServer } from './server.js'

const ROUNDS = inFullOr(5, 1)
const REQUESTS = inFullOr(10_000, 1_000)

// With --json, since a start is awaited by its first line; a line for each call is written unless it is quiet.
const start = (...options: readonly string[]) =>
  startServer('dist/cli.js', 'start', '--port', '0', '--json', '--clock', 'paused', ...options)

/** What the lines of the log cost: the rate of queries with a line for each call, against that without. */
export const lines = async (): Promise<Table[]> => {
  const servers = { on: await start(), off: await start('--quiet') }
  const wires = await Promise.all(
    Object.entries(servers).map(async ([name, { url }]) => {
      const { id } = await ask<{ id: string }>(url, creates.B)
      return [name, wireOf(url, get(`${TASKS}/${id}`))] as const
    }),
  )
  const wireFor = Object.fromEntries(wires)
  const turn = async (name: 'on' | 'off') => {
    const { ms } = await load(servers[name].url, REQUESTS, wireFor[name] as Buffer)
    return REQUESTS / (ms / 1_000)
  }
  for (const name of ['on', 'off'] as const) await turn(name)
  const rates = await byTurns(['on', 'off'] as const, ROUNDS, turn)
  await Promise.all(Object.values(servers).map((server) => server.stop()))
  const ratio = median(rates.on.map((rate, round) => rate / (rates.off[round] as number)))
  const note = `Medians of ${ROUNDS} turns of ${REQUESTS.toLocaleString('en')} queries each.`
  const rate = row('B query, with lines', 'a second', median(rates.on))
  return [
    {
      title: 'Lines of the log',
      note,
      rows: [rate, row('the same, against without', 'x', ratio, atLeast(0.85))],
    },
  ]
}
