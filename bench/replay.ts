import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ask, type Call, creates, get, TASKS } from './calls.js'
import { inFullOr, median, timesOf } from './measure.js'
import { atMost, row, type Table } from './report.js'
import { set, startBacklot } from './server.js'

const CALLS = inFullOr(10_000, 2_000)
const ACCOUNTS = 20
const CALLS_EACH = 6
const ROUNDS = inFullOr(3, 1)

const refused: Call = { ...creates.B, body: { ...creates.B.body, duration: 99 } }

/** What a polling client does, with a refusal: six calls. */
const conversation = async (url: string, key: string): Promise<void> => {
  const { id } = await ask<{ id: string }>(url, creates.B, key)
  for (let poll = 0; poll < 3; poll += 1) await ask(url, get(`${TASKS}/${id}`), key)
  await ask(url, get(`${TASKS}?page_size=5`), key)
  await ask(url, refused, key).catch(() => undefined)
}

/** Saves a recording of accounts whose calls overlapped. */
const record = async (file: string): Promise<void> => {
  const { url, stop } = await startBacklot('--clock', 'on-poll', ...set({ journalEntries: CALLS }))
  const talk = async (_: unknown, account: number) => {
    for (let call = 0; call < CALLS / ACCOUNTS; call += CALLS_EACH)
      await conversation(url, `account-${account}`)
  }
  await Promise.all(Array.from({ length: ACCOUNTS }, talk))
  await writeFile(file, await (await fetch(`${url}/_backlot/requests?format=replay&all=true`)).text())
  await stop()
}

/** A recording that is run again by the command line, in a process of its own, from its start to its end. */
export const replay = async (): Promise<Table[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const file = join(folder, 'session.jsonl')
  await record(file)
  // An answer that is another one ends it with an error.
  const times = await timesOf(ROUNDS, () =>
    promisify(execFile)(process.execPath, ['dist/cli.js', 'replay', file]),
  )
  await rm(folder, { recursive: true })
  const name = `a recording of ${CALLS.toLocaleString('en')} calls`
  return [{ title: 'Replay', rows: [row(name, 's', median(times) / 1_000, atMost(10))] }]
}
