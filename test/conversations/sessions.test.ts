import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startEmulator } from '../../src/index.js'
import { type Receiver, startReceiver } from '../emulator/callbacks/receiver.js'
import { jsonOr, paths } from '../emulator.js'
import { newFolder } from '../folder.js'

/*
 * Metamorphic tests: random sessions of a client on a paused clock. What it is told depends neither on how the time between two
 * calls is divided, nor on restarts, imports and restored snapshots between them. `SESSIONS=500` tries as many new ones.
 */
const runs = process.env.SESSIONS
const howMany = runs === undefined ? { seed: 1, numRuns: 10 } : { numRuns: Number(runs) }

const content = [{ type: 'text', text: 'a lighthouse' }]
const messages = [{ role: 'user', content: [{ text: 'a lighthouse' }] }]
const creates = {
  A: { path: paths.image, body: { model: 'alpha-image-3.0-pro', input: { messages } } },
  B: { path: paths.tasks, body: { model: 'videoa-2-0-260128', content } },
  C: { path: paths.videos, body: { model: 'videoa-2-0-260128', media: content } },
  F: { path: paths.second, body: { model: 'gamma-H3', content, duration: 5 } },
  refused: { path: paths.second, body: { model: 'gamma-H3', content, duration: 99 } },
}
type Create = keyof typeof creates

const readPaths: Partial<Record<Create, string>> = {
  B: paths.tasks,
  C: paths.videos,
  F: '/provC/v2/query/video_generation',
}
const cancelPaths: Partial<Record<Create, string>> = { B: paths.tasks, C: paths.tasks, F: paths.second }

/** `nth` counts the tasks that there are, over and over. */
type Operation =
  | { readonly is: 'create'; readonly what: Create; readonly hasCallback: boolean }
  | { readonly is: 'advance'; readonly ms: number }
  | { readonly is: 'read'; readonly nth: number }
  | { readonly is: 'cancel'; readonly nth: number }
  | { readonly is: 'force'; readonly nth: number; readonly status: string }
  | { readonly is: 'play'; readonly name: string }
  | { readonly is: 'limit'; readonly limits: object }
  | { readonly is: 'list' | 'interrupt' }
type OperationThat<Is extends Operation['is']> = Extract<Operation, { readonly is: Is }>

const one = <const T extends string>(...words: T[]) => fc.constantFrom(...words)
const nth = fc.nat(20)

// The first lengths of time are those of attempts, of an expiry and of the time for which tasks are kept.
const ms = fc.oneof(
  fc.constantFrom(1, 999, 1_000, 3_000, 86_400_000, 7 * 86_400_000),
  fc.integer({ min: 1, max: 100_000 }),
)

const create = fc.record({
  is: one('create'),
  what: one('A', 'B', 'C', 'F', 'refused'),
  hasCallback: fc.boolean(),
})
const force = fc.record({ is: one('force'), nth, status: one('queued', 'running', 'succeeded', 'failed') })
const scenarios = one('none', 'callback-lost', 'rate-limit-burst', 'stuck-in-queue')
const limits = fc.record({
  requestsPerMinute: fc.constantFrom(null, 2),
  tasksInFlight: fc.constantFrom(null, 3),
})

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: create },
    { weight: 3, arbitrary: fc.record({ is: one('advance'), ms }) },
    { weight: 3, arbitrary: fc.record({ is: one('read', 'cancel'), nth }) },
    { weight: 3, arbitrary: fc.record({ is: one('list', 'interrupt') }) },
    { weight: 1, arbitrary: force },
    { weight: 1, arbitrary: fc.record({ is: one('play'), name: scenarios }) },
    { weight: 1, arbitrary: fc.record({ is: one('limit'), limits }) },
  ),
  { minLength: 10, maxLength: 40 },
)

type Emulator = Awaited<ReturnType<typeof startEmulator>>

/** How a session passes. */
interface Passing {
  /** Called before the session, for settings of its emulators. */
  readonly settings: () => Promise<{ readonly state?: string }>
  /** Into how many advances each one is divided. */
  readonly parts: number
  /** Called between two calls; resolves with the emulator that goes on. */
  readonly interrupt: (emulator: Emulator, open: () => Promise<Emulator>) => Promise<Emulator>
}

const plainly: Passing = { settings: async () => ({}), parts: 1, interrupt: async (emulator) => emulator }

const KEY = 'a-key-of-mine'

const ask = async ({ url }: Emulator, method: string, path: string, body?: unknown) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: whatever is answered
  return { status: response.status, body: jsonOr(await response.text()) as any }
}

const others: readonly [string, Passing][] = [
  ['with each advance in five parts', { ...plainly, parts: 5 }],
  [
    'with restarts on a state file',
    {
      ...plainly,
      settings: async () => ({ state: join(newFolder(), 'state.jsonl') }),
      interrupt: async (emulator, open) => {
        await emulator.stop()
        return open()
      },
    },
  ],
  [
    'with an export, a reset and an import',
    {
      ...plainly,
      interrupt: async (emulator) => {
        const { body: document } = await ask(emulator, 'GET', '/_backlot/state')
        await emulator.account(KEY).reset()
        expect(await ask(emulator, 'PUT', '/_backlot/state', document)).toMatchObject({ status: 200 })
        return emulator
      },
    },
  ],
  [
    'with snapshots that are restored after other calls',
    {
      ...plainly,
      interrupt: async (emulator) => {
        const account = emulator.account(KEY)
        const snapshot = await account.snapshot()
        await ask(emulator, 'POST', creates.B.path, creates.B.body)
        for (const { id } of await account.tasks.list({ status: 'queued' })) await account.tasks.fail(id)
        await account.clock.advance('30d')
        await account.restore(snapshot)
        return emulator
      },
    },
  ],
]

/** A value without what differs from one process to the next: a secret of its own signs, and receivers take real time. */
const withoutProcess = (name: string, value: unknown): unknown => {
  if (name === 'durationMs') return undefined
  return typeof value === 'string' ? value.replace(/Signature=[\w-]+/, 'Signature=') : value
}

/** What a client is told in a session, in order. */
const observe = async (
  session: readonly Operation[],
  passing: Passing,
  receiver: Receiver,
): Promise<unknown[]> => {
  const { parts, interrupt } = passing
  const settings = await passing.settings()
  const open = () => startEmulator({ clock: 'paused', publicUrl: 'http://backlot.test', ...settings })
  let emulator = await open()
  const tasks: { readonly what: Create; readonly id: string }[] = []
  const observed: unknown[] = []

  const advance = async (ms: number): Promise<void> => {
    const { clock } = emulator.account(KEY)
    const happened: unknown[] = []
    for (let part = 0; part < parts; part += 1) {
      const by = Math.floor((ms * (part + 1)) / parts) - Math.floor((ms * part) / parts)
      if (by > 0) happened.push(...(await clock.advance(by)).happened)
    }
    observed.push(happened)
  }

  // A message that is sent at once is on its way for as long as it takes; it arrives before anything else is done.
  const settle = async (): Promise<void> => void (await emulator.account(KEY).clock.advance(1))

  const createTask = async ({ what, hasCallback }: OperationThat<'create'>): Promise<void> => {
    const { path, body } = creates[what]
    const callback = hasCallback && what !== 'A' ? { callback_url: receiver.url } : {}
    const answer = await ask(emulator, 'POST', path, { ...body, ...callback })
    observed.push(answer)
    await settle()
    const id = answer.body.id ?? answer.body.task_id
    if (answer.status === 200 && what !== 'A') tasks.push({ what, id })
  }

  const askForTask = async (operation: OperationThat<'read' | 'cancel' | 'force'>): Promise<void> => {
    const task = tasks[operation.nth % tasks.length]
    if (task === undefined) return
    const { what, id } = task
    if (operation.is === 'read') observed.push(await ask(emulator, 'GET', `${readPaths[what]}/${id}`))
    if (operation.is === 'cancel') observed.push(await ask(emulator, 'DELETE', `${cancelPaths[what]}/${id}`))
    if (operation.is === 'force')
      observed.push(await ask(emulator, 'PATCH', `/_backlot/tasks/${id}`, { status: operation.status }))
    await settle()
  }

  const run = async (operation: Operation): Promise<void> => {
    switch (operation.is) {
      case 'create':
        return createTask(operation)
      case 'advance':
        return advance(operation.ms)
      case 'read':
      case 'cancel':
      case 'force':
        return askForTask(operation)
      case 'play':
        return void observed.push(await ask(emulator, 'PUT', '/_backlot/scenario', { name: operation.name }))
      case 'limit': {
        const { limits } = operation
        return void observed.push(await ask(emulator, 'PATCH', '/_backlot/account', { limits }))
      }
      case 'list':
        return void observed.push(await ask(emulator, 'GET', `${paths.tasks}?page_size=5`))
      case 'interrupt':
        emulator = await interrupt(emulator, open)
    }
  }

  for (const operation of session) await run(operation)
  await advance(3_600_000)
  for (const path of ['tasks', 'callbacks', 'scenario', 'clock', 'account'])
    observed.push(await ask(emulator, 'GET', `/_backlot/${path}`))
  await emulator.stop()
  return JSON.parse(JSON.stringify(observed, withoutProcess))
}

test(
  'a session is answered the same however it passes',
  async () => {
    const receiver = await startReceiver()
    await fc.assert(
      fc.asyncProperty(operations, async (session) => {
        const expected = await observe(session, plainly, receiver)
        for (const [how, passing] of others)
          expect({ how, observed: await observe(session, passing, receiver) }).toEqual({
            how,
            observed: expected,
          })
      }),
      howMany,
    )
  },
  60_000 + 10_000 * howMany.numRuns,
)
