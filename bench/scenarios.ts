import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Load, requestsPerSecond } from './load.js'
import { median } from './measure.js'
import { startProcess } from './process.js'
import type { Figure } from './report.js'

const ROUNDS = 9
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

const start = (...args: string[]) =>
  startProcess(['dist/cli.js', 'start', '--port', '0', '--json', '--quiet', ...args])

/** Creates and queries with a scenario of fifty steps against the same without one, turn by turn in one run. */
export const scenarios = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const file = join(folder, 'fifty-steps.json')
  await writeFile(file, JSON.stringify(scenario))
  const [plain, playing] = [await start(), await start('--scenario', file)]
  const query = async (url: string) => {
    const headers = { authorization: 'Bearer bench' }
    const created = await fetch(url + TASKS, { method: 'POST', headers, body: task })
    return `${TASKS}/${((await created.json()) as { id: string }).id}`
  }
  const cost = async (loadOf: (url: string) => Promise<Load>): Promise<number> => {
    const loads = [await loadOf(plain.url), await loadOf(playing.url)] as const
    const costs: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const without = await requestsPerSecond(loads[0])
      costs.push(100 * (1 - (await requestsPerSecond(loads[1])) / without))
    }
    return median(costs)
  }
  const aim = { at: 'most', value: 5 } as const
  const figures: Figure[] = [
    {
      name: `B create with ${STEPS} steps, requests a second`,
      value: await cost(async (url) => ({ url: url + TASKS, method: 'POST', body: task })),
      unit: '% less',
      aim,
    },
    {
      name: `B query with ${STEPS} steps, requests a second`,
      value: await cost(async (url) => ({ url: url + (await query(url)) })),
      unit: '% less',
      aim,
    },
  ]
  await Promise.all([plain.stop(), playing.stop(), rm(folder, { recursive: true })])
  return figures
}
