import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulator } from './built.js'
import { requestsPerSecond } from './load.js'
import { median, timed } from './measure.js'
import { emulatorWith, startProcess } from './process.js'
import { atMostMs, type Figure } from './report.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'
const ROUNDS = 5
const MANY = 100_000

const body = JSON.stringify({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'A lighthouse in the fog, seen from a small boat' }],
})

const create = async (url: string): Promise<void> => {
  const response = await fetch(url + TASKS, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer bench' },
  })
  await response.arrayBuffer()
}

const server = (...options: string[]) => startProcess(emulatorWith(...options))

/** What creates keep of their rate with a state file, turn by turn in one run. */
const creating = async (folder: string): Promise<Figure> => {
  const [off, on] = [await server(), await server('--state', join(folder, 'creating.jsonl'))]
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [without, with_] = [off, on].map(
      ({ url }) =>
        () =>
          requestsPerSecond({ url: url + TASKS, method: 'POST', body }),
    )
    // Whoever comes second finds a machine that is warm, so that they change places.
    const isFirst = round % 2 === 0
    const one = await (isFirst ? with_ : without)?.()
    const other = await (isFirst ? without : with_)?.()
    ratios.push(isFirst ? (one ?? 0) / (other ?? 1) : (other ?? 0) / (one ?? 1))
  }
  await Promise.all([off.stop(), on.stop()])
  return {
    name: 'B create with a state file against without',
    value: median(ratios),
    unit: 'x',
    aim: { at: 'least', value: 0.9 },
  }
}

/** A snapshot of an account with 1,000 tasks, and going back to it. */
const snapshots = async (): Promise<Figure[]> => {
  const emulator = await startEmulator({ clock: 'paused' })
  for (let made = 0; made < 1_000; made += 50)
    await Promise.all(Array.from({ length: 50 }, () => create(emulator.url)))
  const account = emulator.account('bench')
  const [taking, restoring]: [number[], number[]] = [[], []]
  for (let round = 0; round < 50; round += 1) {
    taking.push(await timed(() => account.snapshot()))
    const snapshot = await account.snapshot()
    restoring.push(await timed(() => account.restore(snapshot)))
  }
  await emulator.stop()
  return [
    atMostMs('snapshot of an account with 1,000 tasks', median(taking), 5),
    atMostMs('restoring it', median(restoring), 5),
  ]
}

/** How many of the tasks have not ended. */
const OPEN = 1_000

/** A state file of so many tasks, as weeks leave it: nearly all have ended. The lines of one, again and again under other ids. */
const stateOf = async (folder: string, tasks: number): Promise<string> => {
  const file = join(folder, 'starting.jsonl')
  const one = await server('--state', file, '--clock', 'paused')
  await create(one.url)
  await one.stop()
  const lines = (await readFile(file, 'utf8')).split('\n')
  const [task = '', next = ''] = lines.filter((line) => /^\["(task|next)"/.test(line))
  const id = /^\["task","bench","([^"]+)"/.exec(task)?.[1] ?? ''
  const copies = Array.from({ length: tasks - 1 }, (_, index) =>
    (index < OPEN ? [task, next] : [task]).map((line) => line.replaceAll(id, `${id}-${index}`)),
  )
  await writeFile(file, [...lines.slice(0, -1), ...copies.flat(), '["end"]', ''].join('\n'))
  return file
}

const starting = async (folder: string): Promise<Figure> => {
  const file = await stateOf(folder, MANY)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    let started: Awaited<ReturnType<typeof server>> | undefined
    times.push(
      await timed(async () => {
        started = await server('--state', file)
      }),
    )
    await started?.stop()
  }
  return atMostMs('start with a state of 100,000 tasks', median(times), 2_000)
}

/** What it costs that an emulator outlives its process. */
export const state = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-state-'))
  try {
    return [await creating(folder), ...(await snapshots()), await starting(folder)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
