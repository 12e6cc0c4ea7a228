import { type Load, requestsPerSecond } from './load.js'
import { median } from './measure.js'
import { startProcess } from './process.js'
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

/**
 * Creates and queries with a scenario of fifty steps against the same without one: on one emulator, in short turns, so
 * that both have the same share of whatever else the machine does.
 */
export const scenarios = async (): Promise<Figure[]> => {
  const emulator = await startProcess(['dist/cli.js', 'start', '--port', '0', '--json', '--quiet'])
  const control = async (method: 'PUT' | 'DELETE') => {
    const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }
    const body = method === 'PUT' ? JSON.stringify(scenario) : '{}'
    const response = await fetch(`${emulator.url}/_backlot/scenario`, { method, headers, body })
    if (!response.ok) throw new Error(await response.text())
  }
  const cost = async (load: Load): Promise<number> => {
    const costs: number[] = []
    const measured = async (method: 'PUT' | 'DELETE') => {
      await control(method)
      return requestsPerSecond(load, SECONDS)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // In turns the first and the second of the two, since the machine is not the same from one second to the next.
      const order = round % 2 === 0 ? (['DELETE', 'PUT'] as const) : (['PUT', 'DELETE'] as const)
      const rates = { [order[0]]: await measured(order[0]), [order[1]]: await measured(order[1]) }
      costs.push(100 * (1 - (rates.PUT as number) / (rates.DELETE as number)))
    }
    await control('DELETE')
    return median(costs)
  }
  const create: Load = { url: emulator.url + TASKS, method: 'POST', body: task }
  const headers = { authorization: 'Bearer bench' }
  const { id } = (await (await fetch(create.url, { method: 'POST', headers, body: task })).json()) as {
    id: string
  }
  await requestsPerSecond(create)
  const aim = { at: 'most', value: 5 } as const
  const figures: Figure[] = [
    {
      name: `B create with ${STEPS} steps, requests a second`,
      value: await cost(create),
      unit: '% less',
      aim,
    },
    {
      name: `B query with ${STEPS} steps, requests a second`,
      value: await cost({ url: `${create.url}/${id}` }),
      unit: '% less',
      aim,
    },
  ]
  await emulator.stop()
  return figures
}
