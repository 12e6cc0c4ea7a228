import type { Events } from '../core/events.js'
import { clearTimeout, setTimeout } from '../timers.js'
import type { ControlContext } from './action.js'
import { createEventLog, type LiveEvents } from './event-log.js'
import { type AccountChanges, BatchWriter, noChanges } from './live-batch.js'

const BATCH_INTERVAL_MS = 100
/** How long events are still gathered after the last stream has ended, since it may be resumed. */
const RESUME_MS = 60_000
const MAX_LOGGED = { entries: 5_000, characters: 8 * 2 ** 20 }
/** Maximum number of changes in a batch: beyond it, readers are told to reload instead. */
const MAX_CHANGES = 500

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
  const writer = new BatchWriter(context, log)
  let batch = noBatch()
  let followers = 0
  let stop: (() => void) | undefined
  let batchTimer: NodeJS.Timeout | undefined
  let stopTimer: NodeJS.Timeout | undefined

  const collect = (name: EventName, event: { readonly account: string }): void => {
    batch.size += 1
    if (batch.size === 1) batchTimer = setTimeout(write, BATCH_INTERVAL_MS).unref()
    // What is gathered beyond that is dropped anyway.
    if (batch.size > MAX_CHANGES) return
    const changes = batch.accounts.get(event.account) ?? noChanges()
    batch.accounts.set(event.account, changes)
    collectors[name](changes, event as never)
  }

  const write = (): void =>
    writer.write(() => {
      const gathered = batch
      batch = noBatch()
      return gathered.size > MAX_CHANGES ? undefined : gathered.accounts
    })

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
      writer.clear()
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
