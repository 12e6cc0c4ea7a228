import { ask, type Call, control, creates, get, TASKS, wireOf } from './calls.js'
import { load } from './load.js'
import { inFullOr, isQuick, median } from './measure.js'
import { atLeast, atMost, type Row, row, type Table } from './report.js'
import { type Server, set, startBacklot } from './server.js'

const COUNTS = isQuick ? [1_000, 20_000] : [1_000, 100_000, 1_000_000]
/** Tasks that have not ended; all others have, at once. */
const OPEN = 5
const LISTS = 50
const TURNS = inFullOr(7, 3)
const REQUESTS = 1_000
/** Calls of each kind until V8 has compiled what runs often. */
const WARM_UP = inFullOr(20_000, 2_000)
const MANY = 2_000_000

const holding = {
  name: 'holding',
  description: 'Tasks stay in the queue.',
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
  steps: [{ when: { operation: 'b-video-task.create' }, then: { task: { queuedFor: 'ever' } } }],
}

const fast: Call = { ...creates.B, body: { ...creates.B.body, model: 'videoa-2-0-fast-260128' } }

/** Lists of an account: each with what it may take at the larger counts. */
const listsOf = (ids: readonly string[]): Readonly<Record<string, Call>> => {
  const list = (query: string) => get(`${TASKS}?page_size=10${query}`)
  const model = `&filter.model=${(fast.body as { model: string }).model}`
  return {
    'B list of 10': list(''),
    'with a status, five tasks': list('&filter.status=queued'),
    'with a status, nearly all tasks': list('&filter.status=succeeded'),
    'with a model, one task': list(model),
    'with a status and a model': list(`&filter.status=succeeded${model}`),
    'nothing found': list('&filter.status=failed'),
    'with five ids': list(ids.map((id) => `&filter.task_ids=${id}`).join('')),
    '/_backlot/tasks?limit=10': get('/_backlot/tasks?limit=10'),
    '/_backlot/tasks, five tasks': get('/_backlot/tasks?limit=10&status=queued'),
    '/_backlot/tasks, nothing found': get('/_backlot/tasks?limit=10&status=failed&family=b-video-task'),
    '/_backlot/requests?limit=10': get('/_backlot/requests?limit=10'),
    '/_backlot/requests, two calls': get('/_backlot/requests?limit=10&operation=b-video-task.read'),
    '/_backlot/requests, nothing found': get('/_backlot/requests?limit=10&status=500'),
    'page 50 of 500': get(`${TASKS}?page_size=500&page_num=50`),
    '/_backlot/requests?limit=10, of such pages': get('/_backlot/requests?limit=10'),
  }
}

/** Milliseconds of one call after the other, the median; a slow one is made less often. */
const medianOf = async (url: string, call: Call): Promise<number> => {
  const first = await load(url, 2, wireOf(url, call), 1)
  return (await load(url, first.p50 > 100 ? 3 : LISTS, wireOf(url, call), 1)).p50
}

/** Microseconds of processor time of a request: the median of some turns. */
const cpuOf = async ({ url, usage }: Server, call: Call): Promise<number> => {
  const turns: number[] = []
  for (let nth = 0; nth < TURNS; nth += 1) {
    const before = await usage()
    await load(url, REQUESTS, wireOf(url, call))
    turns.push((((await usage()).cpuMs - before.cpuMs) / REQUESTS) * 1_000)
  }
  return median(turns)
}

/** Creates and queries of another account, which begins anew then. */
const warmUp = async ({ url }: Server): Promise<void> => {
  const key = 'warm-up'
  const { id } = await ask<{ id: string }>(url, creates.B, key)
  for (const call of [creates.B, get(`${TASKS}/${id}`)]) await load(url, WARM_UP, wireOf(url, call, key))
  await control(url, 'reset', {}, key)
}

/** What reads and creates cost in an account of more and more tasks, nearly all ended; the journal holds 100,000 calls. */
export const held = async (): Promise<Table[]> => {
  const bounds = { tasksPerAccount: MANY, tasksInAll: MANY, taskBytes: 2 ** 40 }
  const journal = { journalEntries: 100_000, journalBytes: 2 ** 31 }
  const server = await startBacklot('--timing', 'instant', ...set({ ...bounds, ...journal }))
  const { url } = server
  const values = new Map<string, Record<string, number>>()
  const note = (name: string, count: number, value: number) =>
    values.set(name, { ...values.get(name), [count.toLocaleString('en')]: value })
  const heap: number[] = []
  await warmUp(server)
  await ask(url, fast)
  await ask(url, { method: 'PUT', path: '/_backlot/scenario', body: holding })
  for (let nth = 0; nth < OPEN; nth += 1) await ask(url, creates.B)
  await ask(url, { method: 'DELETE', path: '/_backlot/scenario' })
  let made = 1 + OPEN
  for (const count of COUNTS) {
    await load(url, count - made, wireOf(url, creates.B))
    made = count
    const { items } = await ask<{ items: { id: string }[] }>(url, get(`${TASKS}?page_size=5`))
    const ids = items.map(({ id }) => id)
    // Two calls that a filter of the journal finds.
    for (let nth = 0; nth < 2; nth += 1) await ask(url, get(`${TASKS}/${ids[0]}`))
    for (const [name, call] of Object.entries(listsOf(ids))) note(name, count, await medianOf(url, call))
    heap.push((await server.usage('memory')).heapBytes)
    note('B query', count, await cpuOf(server, get(`${TASKS}/${ids[0]}`)))
    note('B create', count, await cpuOf(server, creates.B))
    made += TURNS * REQUESTS
  }
  await server.stop()
  const columns = COUNTS.slice(1).map((count) => count.toLocaleString('en'))
  const rowOf = (name: string): Row => {
    const most = name === 'page 50 of 500' ? [5, 5] : [2, 3]
    return row(
      name,
      'ms',
      values.get(name) ?? {},
      ...columns.map((column, nth) => atMost(most[nth] as number, { column })),
    )
  }
  const flat = (name: string) =>
    row(
      name,
      'µs',
      values.get(name) ?? {},
      ...columns.map((column) => atMost(1.2, { column, times: '1,000' })),
    )
  const [few = 0, many = 0] = heap.slice(-2)
  const between = (COUNTS.at(-1) as number) - (COUNTS.at(-2) as number)
  const each = (many - few) / between / 1_000
  const memory = { title: 'Memory', rows: [row(`a task, of ${columns.at(-1)}`, 'KB', each, atMost(1.1))] }
  return [
    { title: 'Lists, by the tasks that the account holds', rows: Object.keys(listsOf([])).map(rowOf) },
    {
      title: 'Processor time of a request, by the tasks held',
      note: `Medians of ${TURNS} turns of ${REQUESTS.toLocaleString('en')} calls. A collection of the whole heap, which comes seldom, is in none of them.`,
      rows: [flat('B query'), flat('B create')],
    },
    // In a quick run the journal fills meanwhile, and would count with the tasks.
    ...(isQuick ? [] : [memory]),
  ]
}

const BATCH = inFullOr(20_000, 2_000)
const BOUND = inFullOr(100_000, 10_000)
/** So that most of what an account may hold has ended: what has not, does not go. */
const SPEED = '4'

/** Creates before and after an account holds its most tasks, on a live clock. */
export const bound = async (): Promise<Table[]> => {
  const { url, stop } = await startBacklot('--speed', SPEED, ...set({ tasksPerAccount: BOUND }))
  const below: number[] = []
  const at: number[] = []
  let longest = 0
  for (let made = 0; made < 2.5 * BOUND; made += BATCH) {
    const batch = await load(url, BATCH, wireOf(url, creates.B))
    const rate = (batch.requests / batch.ms) * 1_000
    // The first of them run in code that is not optimised yet.
    if (made >= BATCH && made + BATCH <= BOUND) below.push(rate)
    if (made >= BOUND) {
      at.push(rate)
      longest = Math.max(longest, batch.longest)
    }
  }
  await stop()
  return [
    {
      title: `B creates at the most tasks of an account, ${BOUND.toLocaleString('en')}`,
      rows: [
        row('creates a second, against below it', 'x', median(at) / median(below), atLeast(0.95)),
        row('longest wait for an answer', 'ms', longest, atMost(10)),
      ],
    },
  ]
}
