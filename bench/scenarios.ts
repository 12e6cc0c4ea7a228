import { ask, type Call, creates, get, TASKS, wireOf } from './calls.js'
import { load } from './load.js'
import { byTurns, inFullOr, median } from './measure.js'
import { atMost, type Row, row, type Table } from './report.js'
import { type Server, set, startBacklot } from './server.js'

// Short turns and many of them, so that the machine is the same for the two of a round.
const ROUNDS = inFullOr(30, 5)
const REQUESTS = 2_000
const STEPS = 50

// Steps that are about every call that is measured, and act on none: each has to be held against each call.
const selectors: readonly object[] = [
  { nth: 1_000_000_000 },
  { model: 'videoa-2-0-fast-260128' },
  { prompt: { contains: 'a storm at sea' } },
  { from: '30d' },
  { account: 'another-account' },
]

const scenario = {
  name: 'fifty-steps',
  description: 'Nothing goes wrong, after looking at fifty steps.',
  steps: Array.from({ length: STEPS }, (_, index) => ({
    when: { operation: 'b-video-task.*', ...selectors[index % selectors.length] },
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    then: { answer: { status: 500 } },
  })),
}

/** What a call costs more while a scenario plays, by turns on the same account. */
const costOf = async (name: string, { url, usage }: Server, call: Call): Promise<Row> => {
  const turns = await byTurns(['without', 'with'] as const, ROUNDS, async (turn) => {
    // It is read before either turn, so that both begin with the same behind them.
    await ask(url, { method: 'PUT', path: '/_backlot/scenario', body: scenario })
    if (turn === 'without') await ask(url, { method: 'DELETE', path: '/_backlot/scenario' })
    const before = await usage()
    await load(url, REQUESTS, wireOf(url, call))
    return (await usage()).cpuMs - before.cpuMs
  })
  const ratios = turns.with.map((ms, round) => ms / (turns.without[round] as number))
  return row(`${name}, processor time of a request`, '% more', 100 * (median(ratios) - 1), atMost(5))
}

/** What a scenario of fifty steps costs a call that none of them acts on. */
export const scenarios = async (): Promise<Table[]> => {
  // Tasks that end, and those that go at a bound, would be work in the turn of another.
  const bounds = { tasksPerAccount: 10 ** 6, tasksInAll: 10 ** 6, taskBytes: 2 ** 32 }
  const server = await startBacklot('--clock', 'paused', ...set(bounds))
  const { id } = await ask<{ id: string }>(server.url, creates.B)
  const query = await costOf('B query', server, get(`${TASKS}/${id}`))
  const create = await costOf('B create', server, creates.B)
  await server.stop()
  return [{ title: `A scenario of ${STEPS} steps`, rows: [query, create] }]
}
