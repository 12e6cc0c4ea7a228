import { type Load, loaded } from './load.js'
import { median } from './measure.js'
import { emulatorWith, processorMs, type Running, startProcess } from './process.js'
import type { Figure } from './report.js'

const ROUNDS = 25
const SECONDS = 1
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
 * Creates and queries with a scenario of fifty steps against the same without one: on one emulator, in short turns, so
 * that both have the same share of whatever else the machine does. The processor time of a request is what a machine
 * that is at work besides changes least.
 */
export const scenarios = async (): Promise<Figure[]> => {
  const emulator = await startProcess(emulatorWith())
  const create: Load = { url: emulator.url + TASKS, method: 'POST', body: task }
  const query: Load = { url: `${create.url}/${await taskAt(create.url)}` }
  await loaded(query)
  // Queries first: creates by the hundred thousand make the emulator let the oldest tasks go.
  const figures = [
    ...costs('query', await turnsOf(emulator, query)),
    ...costs('create', await turnsOf(emulator, create)),
  ]
  await emulator.stop()
  return figures
}

const taskAt = async (url: string): Promise<string> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer bench' },
    body: task,
  })
  return ((await response.json()) as { id: string }).id
}

const turnsOf = async (emulator: Running, load: Load): Promise<Record<Turn, Measured>[]> => {
  const rounds: Record<Turn, Measured>[] = []
  const measured = async (turn: Turn): Promise<Measured> => {
    await (turn === 'with' ? play(emulator.url) : stop(emulator.url))
    const before = await processorMs(emulator.pid)
    const { requests, requestsPerSecond } = await loaded(load, SECONDS)
    return { requestsPerSecond, processorMs: ((await processorMs(emulator.pid)) - before) / requests }
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turns the first and the second of the two, since the machine is not the same from one second to the next.
    const order: readonly Turn[] = round % 2 === 0 ? ['without', 'with'] : ['with', 'without']
    const turns = new Map<Turn, Measured>()
    for (const turn of order) turns.set(turn, await measured(turn))
    rounds.push(Object.fromEntries(turns) as Record<Turn, Measured>)
  }
  await stop(emulator.url)
  return rounds
}

const play = (url: string) => control(url, 'PUT', scenario)
const stop = (url: string) => control(url, 'DELETE', {})

const control = async (url: string, method: 'PUT' | 'DELETE', body: object): Promise<void> => {
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }
  const response = await fetch(`${url}/_backlot/scenario`, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
}

const costs = (name: string, rounds: readonly Record<Turn, Measured>[]): Figure[] => {
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
