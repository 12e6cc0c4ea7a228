import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, control, creates, wireOf } from './calls.js'
import { load } from './load.js'
import { byTurns, inFullOr, median, timed, timesOf } from './measure.js'
import { atLeast, atMost, type Row, row, type Table } from './report.js'
import { startBacklot } from './server.js'

const ROUNDS = inFullOr(5, 1)
const CREATES = inFullOr(8_000, 2_000)
const MANY = inFullOr(100_000, 10_000)
/** How many of them have not ended. */
const OPEN = 1_000

/** What creates keep of their rate with a state file, whose answers wait until their batch is written. */
const creating = async (folder: string): Promise<Row> => {
  const servers = {
    without: await startBacklot(),
    with: await startBacklot('--state', join(folder, 'creating.jsonl')),
  }
  const turns = await byTurns(['without', 'with'] as const, ROUNDS, async (name) => {
    const { url } = servers[name]
    await control(url, 'reset?all=true')
    const { requests, ms } = await load(url, CREATES, wireOf(url, creates.B))
    return requests / ms
  })
  await Promise.all(Object.values(servers).map(({ stop }) => stop()))
  return row(
    'B creates a second, against without',
    'x',
    median(turns.with) / median(turns.without),
    atLeast(0.8),
  )
}

const snapshots = async (): Promise<Row[]> => {
  const { url, stop } = await startBacklot('--clock', 'paused')
  await load(url, 1_000, wireOf(url, creates.B))
  const taking = await timesOf(50, () => control(url, 'snapshots'))
  const { id } = await control<{ id: string }>(url, 'snapshots')
  const restoring = await timesOf(50, () => control(url, `snapshots/${id}/restore`))
  await stop()
  return [
    row('snapshot of an account with 1,000 tasks', 'ms', median(taking), atMost(5)),
    row('restoring it', 'ms', median(restoring), atMost(5)),
  ]
}

/** Writes a state file as weeks leave it: the lines of one task, again and again under other ids. */
const writeState = async (folder: string): Promise<string> => {
  const file = join(folder, 'starting.jsonl')
  const one = await startBacklot('--state', file, '--clock', 'paused')
  await ask(one.url, creates.B)
  await one.stop()
  const lines = (await readFile(file, 'utf8')).split('\n')
  const [task = '', next = ''] = lines.filter((line) => /^\["(task|next)"/.test(line))
  const id = /^\["task","bench","([^"]+)"/.exec(task)?.[1] ?? ''
  const copies = Array.from({ length: MANY - 1 }, (_, index) =>
    (index < OPEN ? [task, next] : [task]).map((line) => line.replaceAll(id, `${id}-${index}`)),
  )
  await writeFile(file, [...lines.slice(0, -1), ...copies.flat(), '["end"]', ''].join('\n'))
  return file
}

const startingWith = async (folder: string): Promise<Row> => {
  const file = await writeState(folder)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    let stop: () => Promise<void> = async () => {}
    const start = async () => {
      ;({ stop } = await startBacklot('--state', file))
    }
    times.push(await timed(start))
    await stop()
  }
  return row(`start with ${MANY.toLocaleString('en')} tasks`, 'ms', median(times), atMost(2_000))
}

/** What it costs that an emulator outlives its process. */
export const state = async (): Promise<Table[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  try {
    const rows = [await creating(folder), await startingWith(folder), ...(await snapshots())]
    return [{ title: 'State file and snapshots', rows }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
