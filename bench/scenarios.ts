import { type Connections, openConnections } from './connections.js'
import type { Load } from './load.js'
import { median } from './measure.js'
import { emulatorWith, processorMs, startProcess } from './process.js'
import type { Figure } from './report.js'

// Fewer creates, since all that they make stays: no task ends while the clock stands still.
const ROUNDS = { query: 300, create: 100 }
// A turn is short, so that the machine is the same for the two of a round, but long enough for the garbage of each to be
// collected in it: some eight hundred requests fill what is collected at once.
const REQUESTS = 1_000
const WARM_UPS = 10
const STEPS = 50
// Tasks that end, and the oldest of a hundred thousand that go, are work in the turn of whoever is next.
const UNDISTURBED = ['--clock', 'paused', '--set', 'tasksPerAccount=1000000', '--set', 'tasksInAll=1000000']
const TASKS = '/provB/api/v3/contents/generations/tasks'

const task = JSON.stringify({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'A lighthouse in the fog' }],
})

// Steps that are about every call that is measured, and act on none: each has to be held against each call.
const selectors: readonly object[] = [
  { nth: 1_000_000_000 },
  { model: 'videoa-2-0-fast-260128' },
  { prompt: { contains: 'a storm at sea' } },
  { from: '30d' },
  { account: 'somebody-else' },
]

const scenario = {
  name: 'fifty-steps',
  says: 'Nothing goes wrong, after looking at fifty steps.',
  steps: Array.from({ length: STEPS }, (_, index) => ({
    when: { operation: 'b-video-task.*', ...selectors[index % selectors.length] },
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    then: { answer: { status: 500 } },
  })),
}

type Turn = 'with' | 'without'

/** What a request came to in one turn. */
interface Measured {
  readonly requestsPerSecond: number
  readonly processorMs: number
}

/**
 * Creates and queries of an account while a scenario of fifty steps plays against the same while none does: in short
 * turns, so that both have the same share of whatever else the machine does, and all of the same account over the same
 * connections, since one of two accounts is faster by a few percent, whoever has the scenario.
 */
export const scenarios = async (): Promise<Figure[]> => {
  const { url, pid, stop } = await startProcess(emulatorWith(...UNDISTURBED))
  const creates = { url: url + TASKS, method: 'POST', body: task } as const
  const query = await roundsOf(pid, url, { url: `${creates.url}/${await taskOf(url)}` }, ROUNDS.query)
  const create = await roundsOf(pid, url, creates, ROUNDS.create)
  await stop()
  return [...costs('query', query), ...costs('create', create)]
}

const KEY = 'bench'
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

const taskOf = async (url: string): Promise<string> => {
  const response = await fetch(url + TASKS, { method: 'POST', headers, body: task })
  return ((await response.json()) as { id: string }).id
}

type Rounds = readonly Readonly<Record<Turn, Measured>>[]

const roundsOf = async (pid: number, url: string, load: Load, count: number): Promise<Rounds> => {
  const connections = await openConnections(load, KEY)
  const rounds: Record<Turn, Measured>[] = []
  for (let round = 0; round < WARM_UPS + count; round += 1) {
    // In turns the first and the second of the two, since the machine is not the same from one moment to the next.
    const order: readonly Turn[] = round % 2 === 0 ? ['without', 'with'] : ['with', 'without']
    const turns = new Map<Turn, Measured>()
    for (const turn of order) {
      await prepare(url, turn)
      turns.set(turn, await measured(pid, connections))
    }
    rounds.push(Object.fromEntries(turns) as Record<Turn, Measured>)
  }
  connections.close()
  return rounds.slice(WARM_UPS)
}

/** The scenario is read before either turn, so that both begin with the same behind them. */
const prepare = async (url: string, turn: Turn): Promise<void> => {
  const at = `${url}/_backlot/scenario`
  await mustWork(await fetch(at, { method: 'PUT', headers, body: JSON.stringify(scenario) }))
  if (turn === 'without') await mustWork(await fetch(at, { method: 'DELETE', headers }))
}

const mustWork = async (response: Response): Promise<void> => {
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

const measured = async (pid: number, connections: Connections): Promise<Measured> => {
  const [processorBefore, before] = [await processorMs(pid), performance.now()]
  await connections.make(REQUESTS)
  const ms = performance.now() - before
  return {
    requestsPerSecond: (REQUESTS / ms) * 1_000,
    processorMs: ((await processorMs(pid)) - processorBefore) / REQUESTS,
  }
}

const costs = (name: string, rounds: Rounds): Figure[] => {
  const ratio = (what: keyof Measured) =>
    median(rounds.map((round) => round.with[what] / round.without[what]))
  const aim = { at: 'most', value: 5 } as const
  return [
    {
      name: `B ${name} with ${STEPS} steps, requests a second`,
      value: 100 * (1 - ratio('requestsPerSecond')),
      unit: '% less',
      aim,
    },
    {
      name: `B ${name} with ${STEPS} steps, processor time of a request`,
      value: 100 * (ratio('processorMs') - 1),
      unit: '% more',
      aim,
    },
  ]
}
