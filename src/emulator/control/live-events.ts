import { createMutex } from '../concurrency.js'
import { accountIdOf } from '../core/account/account-id.js'
import type { Events } from '../core/events.js'
import type { Account } from '../core/model/account.js'
import { viewAt } from '../core/model/task.js'
import { clearTimeout, setTimeout } from '../timers.js'
import type { ControlContext } from './action.js'
import { accountRecordOf } from './actions/account.js'
import { callbackRecordFor } from './actions/callbacks.js'
import { clockReading } from './actions/clock.js'
import { requestRecordOf } from './actions/requests.js'
import { runRecordsOf } from './actions/scenarios.js'
import { taskRecordOf } from './actions/tasks.js'
import { createEventLog, type LiveEvents } from './event-log.js'

const BATCH_INTERVAL_MS = 100
/** How long events are still gathered after the last stream has ended, since it may be resumed. */
const RESUME_MS = 60_000
const MAX_LOGGED = { entries: 5_000, characters: 8 * 2 ** 20 }
/** Maximum number of changes in a batch: beyond it, readers are told to reload instead. */
const MAX_CHANGES = 500
/** Maximum length of a body: longer ones are cut, and can be read whole by the id of the request. */
const MAX_BODY = 2_048

/** Changes of an account since the latest batch. Things that can change again are gathered by id and written once. */
interface AccountChanges {
  isReset: boolean
  readonly calls: Events['request'][0][]
  readonly tasks: Set<string>
  readonly callbacks: Set<string>
  readonly inboxes: Set<string>
  /** Status of assets, by job id. */
  readonly assets: Map<string, string>
}

const noChanges = (): AccountChanges => ({
  isReset: false,
  calls: [],
  tasks: new Set(),
  callbacks: new Set(),
  inboxes: new Set(),
  assets: new Map(),
})

const noBatch = () => ({ size: 0, accounts: new Map<string, AccountChanges>() })

type EventName = 'request' | 'happening' | 'callback' | 'inbox' | 'control' | 'account'

/** How each event of the emulator adds to the changes of its account. */
const collectors: { readonly [N in EventName]: (changes: AccountChanges, event: Events[N][0]) => void } = {
  request: ({ calls, tasks }, entry) => {
    calls.push(entry)
    if (entry.task !== undefined) tasks.add(entry.task)
  },
  happening: ({ tasks, callbacks, assets }, { kind, id, detail }) => {
    if (kind === 'asset') assets.set(id, detail)
    else (kind === 'task' ? tasks : callbacks).add(id)
  },
  callback: ({ callbacks }, { id }) => callbacks.add(id),
  inbox: ({ inboxes }, { name }) => inboxes.add(name),
  control: ({ tasks }, { task }) => {
    if (task !== undefined) tasks.add(task)
  },
  account: (changes) => Object.assign(changes, noChanges(), { isReset: true }),
}

/**
 * Live events of an emulator: what happens on its accounts, gathered and written down at most ten times a second. Nothing is
 * gathered before the first follower, and a minute after the last one.
 */
export const createLiveEvents = (context: ControlContext): LiveEvents => {
  const log = createEventLog(MAX_LOGGED)
  /** Latest texts of the items that are written only when they have changed, by account id and kind. */
  const latestTexts = new Map<string, Map<string, string>>()
  /** One batch is written at a time, so that none overtakes another. */
  const mutex = createMutex()
  let batch = noBatch()
  let followers = 0
  let stop: (() => void) | undefined
  let batchTimer: NodeJS.Timeout | undefined
  let stopTimer: NodeJS.Timeout | undefined

  const collect = (name: EventName, event: { readonly account: string }): void => {
    batch.size += 1
    if (batch.size === 1)
      batchTimer = setTimeout(() => mutex.run(writeBatch).catch(fail), BATCH_INTERVAL_MS).unref()
    // What is gathered beyond that is dropped anyway.
    if (batch.size > MAX_CHANGES) return
    const changes = batch.accounts.get(event.account) ?? noChanges()
    batch.accounts.set(event.account, changes)
    collectors[name](changes, event as never)
  }

  const writeBatch = async (): Promise<void> => {
    const { size, accounts } = batch
    batch = noBatch()
    if (size > MAX_CHANGES) return clear()
    const open = new Set(await context.store.keys())
    const texts: { account: string; text: string }[] = []
    for (const [key, changes] of accounts) {
      const account = accountIdOf(key)
      const add = (item: object) => texts.push({ account, text: JSON.stringify({ ...item, account }) })
      if (changes.isReset) {
        latestTexts.delete(account)
        add({ kind: 'reset' })
      }
      for (const entry of changes.calls)
        add({ kind: 'request', record: withShortBodies(requestRecordOf(entry)) })
      // An account that is gone must not be opened again by looking at it.
      if (open.has(key)) await addRecords(key, changes, add)
    }
    log.append(texts)
  }

  const clear = (): void => {
    log.clear()
    latestTexts.clear()
  }

  // The events of the batch are lost, so that readers have to reload.
  const fail = (error: unknown): void => {
    clear()
    context.onInternalError(error)
  }

  const addRecords = async (key: string, changes: AccountChanges, add: (item: object) => void) => {
    const { store, callbacks } = context
    const untried = await store.read(key, (account, now) => {
      for (const id of changes.tasks) {
        const task = account.tasks.get(id)
        if (task !== undefined) add({ kind: 'task', record: taskRecordOf(viewAt(task, now)) })
        // The calls about an asset name its job in place of a task.
        else if (!account.jobs.has(id)) add({ kind: 'gone', id })
      }
      const latest = latestTexts.get(account.id) ?? new Map<string, string>()
      latestTexts.set(account.id, latest)
      for (const item of [
        { kind: 'clock', record: clockReading(account, now) },
        { kind: 'account', record: accountRecordOf(account, now) },
        { kind: 'scenario', ...runRecordsOf(account) },
      ]) {
        const text = JSON.stringify(item)
        if (latest.get(item.kind) !== text) add(item)
        latest.set(item.kind, text)
      }
      return untriedCallbacks(account, changes.tasks)
    })
    for (const id of new Set([...changes.callbacks, ...untried])) {
      const callback = await callbacks.get(key, id)
      if (callback !== undefined) add({ kind: 'callback', record: callbackRecordFor(key)(callback) })
    }
    for (const [id, detail] of changes.assets) add({ kind: 'asset', id, detail })
    for (const name of changes.inboxes) add({ kind: 'inbox', name })
  }

  const begin = (): (() => void) => {
    const ends = (Object.keys(collectors) as EventName[]).map((name) => {
      const listener = (event: { readonly account: string }) => collect(name, event)
      context.events.on(name, listener)
      return () => context.events.off(name, listener)
    })
    const unfollow = context.store.follow()
    return () => {
      unfollow()
      for (const end of ends) end()
      clearTimeout(batchTimer)
      batch = noBatch()
      stop = undefined
      // A batch that is being written is written first.
      void mutex.run(async () => clear())
    }
  }

  return {
    log,
    get followers() {
      return followers
    },
    follow: () => {
      followers += 1
      clearTimeout(stopTimer)
      stop ??= begin()
      return () => {
        followers -= 1
        if (followers === 0) stopTimer = setTimeout(() => stop?.(), RESUME_MS).unref()
      }
    },
  }
}

/** Ids of the callbacks of tasks that were never tried. They may wait for long, and no event tells of them before. */
const untriedCallbacks = ({ callbacks }: Account, taskIds: Iterable<string>): string[] =>
  Array.from(taskIds, (taskId) => callbacks.queues.get(taskId))
    .flatMap((queue) => (queue === undefined ? [] : [...queue.waiting, ...queue.held]))
    .filter(({ attempts }) => attempts.length === 0)
    .map(({ id }) => id)

const withShortBodies = <T extends { readonly body: unknown; readonly answer: unknown }>(record: T): T => ({
  ...record,
  body: shortBody(record.body),
  answer: shortBody(record.answer),
})

const shortBody = (body: unknown): unknown => {
  const { length } = JSON.stringify(body) ?? ''
  return length <= MAX_BODY ? body : `… (${length} characters)`
}
