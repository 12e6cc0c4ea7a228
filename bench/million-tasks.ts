import autocannon from 'autocannon'
import { emulatorWith, startProcess } from './process.js'
import type { Figure } from './report.js'

const MIB = 2 ** 20
const TASKS = 1_000_000
const ACCOUNTS = 10
/** Of the accounts' clocks: after each, what was made on it has ended, and what is older than a window may go. */
const DAYS = 20
const PER_ACCOUNT_AND_DAY = TASKS / ACCOUNTS / DAYS

const body = JSON.stringify({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'A lighthouse in the fog, seen from a small boat' }],
})

const keyOf = (account: number) => `Bearer million-${account}`

/** @throws Error when a create was not accepted */
const createDay = async (url: string, account: number): Promise<void> => {
  const { non2xx, errors } = await autocannon({
    url: `${url}/provB/api/v3/contents/generations/tasks`,
    method: 'POST',
    headers: { authorization: keyOf(account), 'content-type': 'application/json' },
    body,
    connections: 8,
    amount: PER_ACCOUNT_AND_DAY,
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} creates refused, ${errors} failed`)
}

const nextDay = async (url: string, account: number): Promise<void> => {
  await fetch(`${url}/_backlot/clock/advance`, {
    method: 'POST',
    headers: { authorization: keyOf(account) },
    body: JSON.stringify({ by: '24h' }),
  }).then((response) => response.arrayBuffer())
}

/** What the emulator says of its own memory: all that the system gave it, and what is in use of its heap. */
const memoryOf = async (url: string): Promise<{ residentMiB: number; heapMiB: number }> => {
  const text = await (await fetch(`${url}/_backlot/metrics`)).text()
  const mib = (kind: string) =>
    Number(new RegExp(`^backlot_memory_bytes\\{kind="${kind}"\\} (\\S+)$`, 'm').exec(text)?.[1]) / MIB
  return { residentMiB: mib('resident'), heapMiB: mib('heap_used') }
}

/**
 * A million tasks made and finished over twenty days of the clocks of ten accounts, over HTTP, in a process of its own:
 * the most memory that it had, looked at after each day.
 */
export const millionTasks = async (): Promise<Figure[]> => {
  const emulator = await startProcess(emulatorWith('--clock', 'paused'))
  let [resident, heap] = [0, 0]
  for (let day = 0; day < DAYS; day += 1) {
    for (let account = 0; account < ACCOUNTS; account += 1) {
      await createDay(emulator.url, account)
      await nextDay(emulator.url, account)
    }
    const { residentMiB, heapMiB } = await memoryOf(emulator.url)
    resident = Math.max(resident, residentMiB)
    heap = Math.max(heap, heapMiB)
  }
  await emulator.stop()
  return [
    {
      name: 'memory of a process that made 1,000,000 tasks over 20 days',
      value: resident,
      unit: 'MiB',
      aim: { at: 'most', value: 500 },
    },
    { name: 'of that, in use of its heap', value: heap, unit: 'MiB' },
  ]
}
