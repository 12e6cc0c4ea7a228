import { clearTimeout, setTimeout } from 'node:timers'
import { accountIdOf } from '../core/account/account-id.js'
import type { Events } from '../core/events.js'
import { shorten } from '../core/journal/redact.js'
import { viewAt } from '../core/model/task.js'
import type { ControlContext, EventLog, LiveEvents, LoggedEvent } from './action.js'
import { accountRecordOf } from './actions/account.js'
import { callbackRecordOf } from './actions/callbacks.js'
import { clockReading } from './actions/clock.js'
import { requestRecordOf } from './actions/requests.js'
import { runRecordsOf } from './actions/scenarios.js'
import { taskRecordOf } from './actions/tasks.js'

const BATCH_INTERVAL_MS = 100
/** How long events are still gathered after the last stream has ended, since it may be resumed. */
const RESUME_MS = 60_000
const KEPT = { entries: 5_000, characters: 8 * 2 ** 20 }
/** Maximum number of changes in a batch: beyond it, readers are told to reload instead. */
const MAX_GATHERED = 500
/** Maximum length of a body: longer ones are cut, and can be read whole by the id of the request. */
const MAX_BODY = 2_048

/** Changes of an account since the latest batch. Things that can change again are gathered by id and written once. */
interface Gathered {
  isReset: boolean
  readonly calls: Events['request'][0][]
  readonly tasks: Set<string>
  readonly callbacks: Set<string>
  readonly inboxes: Set<string>
  readonly assets: Map<string, string>
}

/**
 * Live events of an emulator: what happens on its accounts, gathered and written down at most ten times a second. Nothing is
 * gathered before the first follower, and a minute after the last one.
 */
export const createLiveEvents = (context: ControlContext): LiveEvents => {
  const log = createEventLog(KEPT)
  const waiting = new Set<() => void>()
  let gathered = new Map<string, Gathered>()
  let size = 0
  let isScheduled = false
  let endTimer: NodeJS.Timeout | undefined
  let followers = 0
  let stop: (() => void) | undefined
  /** Latest text of the items that are written only when they have changed, by account and kind. */
  const latest = new Map<string, string>()

  const failed = (error: unknown): void => void context.events.emit('bug', error)

  const write = async (): Promise<void> => {
    isScheduled = false
    const batch = gathered
    const count = size
    gathered = new Map()
    size = 0
    if (count > MAX_GATHERED) log.clear()
    else {
      const open = new Set(await context.store.keys())
      for (const [key, changes] of batch) await writeAccount(key, changes, open.has(key))
    }
    for (const wake of waiting) wake()
  }

  const writeAccount = async (key: string, changes: Gathered, isOpen: boolean): Promise<void> => {
    const account = accountIdOf(key)
    const add = (item: object) => log.add(account, JSON.stringify({ ...item, account }))
    if (changes.isReset) add({ kind: 'reset' })
    for (const entry of changes.calls)
      add({ kind: 'request', record: withShortBodies(requestRecordOf(entry)) })
    // An account that is gone must not be opened again by looking at it.
    if (!isOpen) return void forgetLatest(account)
    const addIfChanged = (kind: string, fields: object) => {
      const text = JSON.stringify(fields)
      if (latest.get(`${account} ${kind}`) === text) return
      latest.set(`${account} ${kind}`, text)
      add({ kind, ...fields })
    }
    await context.store.read(key, (held, now) => {
      for (const id of changes.tasks) {
        const task = held.tasks.get(id)
        if (task === undefined) add({ kind: 'gone', id })
        else add({ kind: 'task', record: taskRecordOf(viewAt(task, now)) })
      }
      addIfChanged('clock', { record: clockReading(held, context.systemNow()) })
      addIfChanged('account', { record: accountRecordOf(held, context.systemNow()) })
      addIfChanged('scenario', runRecordsOf(held))
    })
    for (const id of changes.callbacks) {
      const callback = await context.callbacks.get(key, id)
      if (callback !== undefined) add({ kind: 'callback', record: callbackRecordOf(callback) })
    }
    for (const [id, detail] of changes.assets) add({ kind: 'asset', id, detail })
    for (const name of changes.inboxes) add({ kind: 'inbox', name })
  }

  const forgetLatest = (account: string): void => {
    for (const kind of ['clock', 'account', 'scenario']) latest.delete(`${account} ${kind}`)
  }

  /** Gathers something of an account, to be written down within a tenth of a second. */
  const collect = (key: string, add: (changes: Gathered) => void): void => {
    size += 1
    if (!isScheduled) setTimeout(() => write().catch(failed), BATCH_INTERVAL_MS).unref()
    isScheduled = true
    // What is gathered beyond that is dropped anyway.
    if (size > MAX_GATHERED) return
    const changes = gathered.get(key) ?? nothingYet()
    gathered.set(key, changes)
    add(changes)
  }

  const listeners: { readonly [N in keyof Events]?: (...told: Events[N]) => void } = {
    request: (entry) =>
      collect(entry.account, ({ calls, tasks }) => {
        calls.push(entry)
        if (entry.task !== undefined) tasks.add(entry.task)
      }),
    happening: ({ account, kind, id, detail }) =>
      collect(account, ({ tasks, callbacks, assets }) => {
        if (kind === 'asset') assets.set(id, detail)
        else (kind === 'task' ? tasks : callbacks).add(id)
      }),
    callback: ({ account, id }) => collect(account, ({ callbacks }) => callbacks.add(id)),
    inbox: ({ account, name }) => collect(account, ({ inboxes }) => inboxes.add(name)),
    control: ({ account, task }) =>
      collect(account, ({ tasks }) => (task === undefined ? undefined : tasks.add(task))),
    account: ({ account }) => {
      gathered.delete(account)
      collect(account, (changes) => {
        changes.isReset = true
      })
    },
  }

  const begin = (): (() => void) => {
    const names = Object.keys(listeners) as (keyof Events)[]
    for (const name of names) context.events.on(name, listeners[name] as never)
    const unfollow = context.store.shared?.follow()
    return () => {
      unfollow?.()
      for (const name of names) context.events.off(name, listeners[name] as never)
      log.clear()
      latest.clear()
    }
  }

  const end = (): void => {
    stop?.()
    stop = undefined
  }

  return {
    log,
    get followers() {
      return followers
    },
    follow: () => {
      followers += 1
      clearTimeout(endTimer)
      stop ??= begin()
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        followers -= 1
        if (followers === 0) endTimer = setTimeout(end, RESUME_MS).unref()
      }
    },
    changed: (after, timeoutMs, signal) =>
      new Promise((resolve) => {
        const proceed = (): void => {
          clearTimeout(timer)
          waiting.delete(proceed)
          signal.removeEventListener('abort', proceed)
          resolve(log.latest !== after && !signal.aborted)
        }
        const timer = setTimeout(proceed, timeoutMs).unref()
        waiting.add(proceed)
        signal.addEventListener('abort', proceed)
        if (log.latest !== after || signal.aborted) proceed()
      }),
  }
}

const nothingYet = (): Gathered => ({
  isReset: false,
  calls: [],
  tasks: new Set(),
  callbacks: new Set(),
  inboxes: new Set(),
  assets: new Map(),
})

const withShortBodies = <T extends { readonly body: unknown; readonly answer: unknown }>(record: T): T => ({
  ...record,
  body: shortBody(record.body),
  answer: shortBody(record.answer),
})

const shortBody = (body: unknown): unknown => {
  const length = lengthOf(body)
  if (length <= MAX_BODY) return body
  const shortened = shorten(body)
  return lengthOf(shortened) <= MAX_BODY ? shortened : `… (${length} characters)`
}

const lengthOf = (body: unknown): number => JSON.stringify(body)?.length ?? 0

/** @param max how many entries, and how many characters of all of them */
export const createEventLog = (max: { readonly entries: number; readonly characters: number }): EventLog => {
  const entries: LoggedEvent[] = []
  let latest = 0
  let characters = 0
  return {
    get latest() {
      return latest
    },
    add: (account, text) => {
      latest += 1
      entries.push({ number: latest, account, text })
      characters += text.length
      while (entries.length > max.entries || characters > max.characters)
        characters -= entries.shift()?.text.length ?? characters
    },
    clear: () => {
      // A number for what was dropped: a reader that was up to date has missed it too.
      latest += 1
      entries.length = 0
      characters = 0
    },
    after: (number) => {
      if (number > latest) return undefined
      const first = latest - entries.length
      return number < first ? undefined : entries.slice(number - first)
    },
  }
}
