import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulator } from './built.js'
import { median, timed } from './measure.js'
import type { Figure } from './report.js'

const CALLS = 10_000
const ACCOUNTS = 20
const ROUNDS = 3
const TASKS = '/provB/api/v3/contents/generations/tasks'

const body = (duration: number): string =>
  JSON.stringify({
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: 'A lighthouse in the fog, seen from a small boat' }],
    duration,
  })

/** What a polling client does, with a refusal: six calls for each task. */
const conversation = async (url: string, key: string): Promise<void> => {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}` } })
    return (await response.json()) as { id?: string }
  }
  const { id } = await call(TASKS, { method: 'POST', body: body(5) })
  for (let poll = 0; poll < 3; poll += 1) await call(`${TASKS}/${id}`)
  await call(`${TASKS}?page_size=5`)
  await call(TASKS, { method: 'POST', body: body(99) })
}

const record = async (file: string): Promise<void> => {
  const emulator = await startEmulator({ clock: 'on-poll', journalEntries: CALLS })
  const each = Math.ceil(CALLS / ACCOUNTS / 6)
  await Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, account) => {
      for (let round = 0; round < each; round += 1) await conversation(emulator.url, `account-${account}`)
    }),
  )
  await emulator.requests.save(file)
  await emulator.stop()
}

/** Runs the command line and returns seconds of processor time. @throws Error when an answer was another */
const replay = (file: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const args = ['--import', './bench/processor-seconds.mjs', 'dist/cli.js', 'replay', file]
    execFile(process.execPath, args, (error, out, err) =>
      error === null ? resolve(Number(err.trim().split('\n').at(-1))) : reject(new Error(out + err)),
    )
  })

/**
 * A recording of 10,000 calls of 20 accounts that overlapped, run again in a process of its own, from its start to its
 * end. On a machine that does other things besides, the processor time says what the time that passes does not.
 */
export const replaying = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const file = join(folder, 'session.jsonl')
  await record(file)
  const seconds: number[] = []
  const processorSeconds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const ms = await timed(async () => processorSeconds.push(await replay(file)))
    seconds.push(ms / 1_000)
  }
  await rm(folder, { recursive: true })
  const aim = { at: 'most', value: 10 } as const
  const name = 'replaying a recording of 10,000 calls'
  return [
    { name, value: median(seconds), unit: 's', aim },
    { name: `${name}, processor time`, value: median(processorSeconds), unit: 's', aim },
  ]
}
