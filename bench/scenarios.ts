import { type Connections, openConnections } from './connections.js'
import type { Load } from './load.js'
import { median } from './measure.js'
import { emulatorWith, processorMs, startProcess } from './process.js'
import type { Figure } from './report.js'

const ROUNDS = 100
// A turn is short, so that the machine is the same for the two of a round, but long enough for the garbage of each to be
// collected in it: some eight hundred requests fill what is collected at once.
const REQUESTS = 1_000
const WARM_UP = 10_000
const STEPS = 50
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
 * Creates and queries of an account with a scenario of fifty steps against the same of one without: on one emulator, in
 * short turns, so that both have the same share of whatever else the machine does. The processor time of a request is
 * what a machine that is at work besides changes least.
 */
export const scenarios = async (): Promise<Figure[]> => {
  const { url, pid, stop } = await startProcess(emulatorWith())
  await play(url, 'with')
  const creates = { url: url + TASKS, method: 'POST', body: task } as const
  const queries = async (turn: Turn): Promise<Load> => ({ url: `${creates.url}/${await taskOf(turn, url)}` })
  // Queries first: creates by the hundred thousand make the emulator let the oldest tasks go.
  const figures = [
    ...costs('query', await roundsOf(pid, queries)),
    ...costs('create', await roundsOf(pid, async () => creates)),
  ]
  await stop()
  return figures
}

const headersOf = (turn: Turn) => ({ authorization: `Bearer ${turn}`, 'content-type': 'application/json' })

const play = async (url: string, turn: Turn): Promise<void> => {
  const options = { method: 'PUT', headers: headersOf(turn), body: JSON.stringify(scenario) }
  const response = await fetch(`${url}/_backlot/scenario`, options)
  if (!response.ok) throw new Error(await response.text())
}

const taskOf = async (turn: Turn, url: string): Promise<string> => {
  const response = await fetch(url + TASKS, { method: 'POST', headers: headersOf(turn), body: task })
  return ((await response.json()) as { id: string }).id
}

type Rounds = readonly Readonly<Record<Turn, Measured>>[]

const roundsOf = async (pid: number, loadOf: (turn: Turn) => Promise<Load>): Promise<Rounds> => {
  const connections = {
    with: await openConnections(await loadOf('with'), 'with'),
    without: await openConnections(await loadOf('without'), 'without'),
  }
  for (const turn of ['with', 'without'] as const) await connections[turn].make(WARM_UP)
  const rounds: Record<Turn, Measured>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turns the first and the second of the two, since the machine is not the same from one moment to the next.
    const order: readonly Turn[] = round % 2 === 0 ? ['without', 'with'] : ['with', 'without']
    const turns = new Map<Turn, Measured>()
    for (const turn of order) turns.set(turn, await measured(pid, connections[turn]))
    rounds.push(Object.fromEntries(turns) as Record<Turn, Measured>)
  }
  connections.with.close()
  connections.without.close()
  return rounds
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
