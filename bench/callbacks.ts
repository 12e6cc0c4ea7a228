import { fileURLToPath } from 'node:url'
import { startEmulator } from './built.js'
import { timed } from './measure.js'
import { startProcess } from './process.js'
import type { Figure } from './report.js'

const TASKS = 10_000
const BATCH = 50
/** The challenge, queued, running and succeeded. */
const CALLBACKS_PER_TASK = 4

interface Report {
  readonly deliveries: number
  readonly wrong: number
  readonly whole: number
}

const create = async (url: string, hook: string): Promise<void> => {
  const response = await fetch(`${url}/provC/v2/video_generation`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench' },
    body: JSON.stringify({
      model: 'gamma-H3',
      content: [{ type: 'text', text: 'A lighthouse in the fog, seen from a small boat' }],
      duration: 5,
      callback_url: hook,
    }),
  })
  await response.arrayBuffer()
}

const createMany = async (url: string, hook: string): Promise<void> => {
  for (let made = 0; made < TASKS; made += BATCH)
    await Promise.all(Array.from({ length: BATCH }, () => create(url, hook)))
}

/** 10,000 tasks with a callback address through their whole life, to a receiver in another process. */
export const callbacks = async (): Promise<Figure[]> => {
  const receiver = await startProcess([fileURLToPath(new URL('receiver.mjs', import.meta.url))])
  const emulator = await startEmulator({ clock: 'paused' })
  const hook = `${receiver.url}/hook`
  const account = emulator.account('bench')
  const createMs = await timed(() => createMany(emulator.url, hook))
  const before = (await (await fetch(receiver.url)).json()) as Report
  const advanceMs = await timed(() => account.clock.advance({ to: 'idle' }))
  const after = (await (await fetch(receiver.url)).json()) as Report
  await Promise.all([emulator.stop(), receiver.stop()])
  const rate = (callbacks: number, ms: number) => callbacks / (ms / 1_000)
  return [
    {
      name: 'deliveries a second while the clock advances',
      value: rate(after.deliveries - before.deliveries, advanceMs),
      unit: 'a second',
      aim: { at: 'least', value: 1_000 },
    },
    {
      name: 'callbacks a second, creating the tasks included',
      value: rate(TASKS * CALLBACKS_PER_TASK, createMs + advanceMs),
      unit: 'a second',
    },
    {
      name: 'tasks reported whole and in order',
      value: after.wrong === 0 ? after.whole : 0,
      unit: 'tasks',
      aim: { at: 'least', value: TASKS },
    },
  ]
}
