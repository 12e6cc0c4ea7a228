import { startEmulator } from './built.js'
import { median, timed } from './measure.js'
import type { Figure } from './report.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'
const BATCH = 50

const body = JSON.stringify({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'A lighthouse in the fog, seen from a small boat' }],
})

const call = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, { ...init, headers: { authorization: 'Bearer bench' } })
  return (await response.json()) as { id: string }
}

const createMany = async (url: string, count: number): Promise<string> => {
  let id = ''
  for (let made = 0; made < count; made += BATCH) {
    const created = await Promise.all(
      Array.from({ length: BATCH }, () => call(url + TASKS, { method: 'POST', body })),
    )
    id = created[0]?.id ?? id
  }
  return id
}

const heapMiB = (): number => {
  global.gc?.()
  global.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

const queryMs = async (url: string, id: string): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < 2_000; round += 1) times.push(await timed(() => call(`${url}${TASKS}/${id}`)))
  return median(times)
}

/** Memory after 100,000 tasks, and whether a query notices how many there are. Run with --expose-gc. */
export const manyTasks = async (): Promise<Figure[]> => {
  const emulator = await startEmulator({ clock: 'paused' })
  const first = await createMany(emulator.url, 1_000)
  const few = await queryMs(emulator.url, first)
  const before = heapMiB()
  const last = await createMany(emulator.url, 99_000)
  const grown = heapMiB() - before
  const many = await queryMs(emulator.url, last)
  await emulator.stop()
  return [
    { name: 'memory of 100,000 tasks', value: grown, unit: 'MiB', aim: { at: 'most', value: 200 } },
    {
      name: 'query among 100,000 tasks against among 1,000',
      value: many / few,
      unit: 'x',
      aim: { at: 'most', value: 1.3 },
    },
  ]
}
