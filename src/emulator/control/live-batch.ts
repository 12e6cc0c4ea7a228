import { createMutex } from '../concurrency.js'
import { accountIdOf } from '../core/account/account-id.js'
import type { Events } from '../core/events.js'
import type { Account } from '../core/model/account.js'
import { viewAt } from '../core/model/task.js'
import type { ControlContext } from './action.js'
import { accountRecordOf } from './actions/account.js'
import { briefCallbackFor } from './actions/callbacks.js'
import { clockReading } from './actions/clock.js'
import { briefRequestOf } from './actions/requests.js'
import { runRecordsOf } from './actions/scenarios.js'
import { briefTaskOf } from './actions/tasks.js'
import type { EventLog } from './event-log.js'

/** Maximum length of a body: longer ones are cut, and can be read whole by the id of the request. */
const MAX_BODY = 2_048

/** Changes of an account since the latest batch. Things that can change again are gathered by id and written once. */
export interface AccountChanges {
  isReset: boolean
  readonly calls: Events['request'][0][]
  readonly tasks: Set<string>
  readonly callbacks: Set<string>
  readonly inboxes: Set<string>
  /** Status of assets, by job id. */
  readonly assets: Map<string, string>
}

export const noChanges = (): AccountChanges => ({
  isReset: false,
  calls: [],
  tasks: new Set(),
  callbacks: new Set(),
  inboxes: new Set(),
  assets: new Map(),
})

/** Writer of batches: makes the records of what has changed on accounts, and appends them to the event log. */
export class BatchWriter {
  readonly #context: ControlContext
  readonly #log: Pick<EventLog, 'append' | 'clear'>
  /** Latest texts of the items that are written only when they have changed, by account id and kind. */
  readonly #latestTexts = new Map<string, Map<string, string>>()
  /** One batch is written at a time, so that none overtakes another. */
  readonly #mutex = createMutex()

  constructor(context: ControlContext, log: Pick<EventLog, 'append' | 'clear'>) {
    this.#context = context
    this.#log = log
  }

  /**
   * Writes a batch, once the one before is written.
   * @param take returns the changes by API key, and begins another batch. Returns undefined where there are too many,
   * so that readers have to reload
   */
  write(take: () => ReadonlyMap<string, AccountChanges> | undefined): void {
    const work = async (): Promise<void> => {
      const accounts = take()
      if (accounts === undefined) return this.#clear()
      await this.#append(accounts)
    }
    // The events of the batch are lost, so that readers have to reload.
    this.#mutex.run(work).catch((error) => {
      this.#clear()
      this.#context.onInternalError(error)
    })
  }

  /** Drops everything. A batch that is being written is written first. */
  clear(): void {
    void this.#mutex.run(async () => this.#clear())
  }

  #clear(): void {
    this.#log.clear()
    this.#latestTexts.clear()
  }

  async #append(accounts: ReadonlyMap<string, AccountChanges>): Promise<void> {
    const open = new Set(await this.#context.store.keys())
    const texts: { account: string; text: string }[] = []
    for (const [key, changes] of accounts) {
      const account = accountIdOf(key)
      const add = (item: object) => texts.push({ account, text: JSON.stringify({ ...item, account }) })
      if (changes.isReset) {
        this.#latestTexts.delete(account)
        add({ kind: 'reset' })
      }
      for (const entry of changes.calls)
        add({ kind: 'request', record: withShortBodies(briefRequestOf(entry)) })
      // An account that is gone must not be opened again by looking at it.
      if (open.has(key)) await this.#addRecords(key, changes, add)
    }
    this.#log.append(texts)
  }

  async #addRecords(key: string, changes: AccountChanges, add: (item: object) => void): Promise<void> {
    const { store, callbacks } = this.#context
    const untried = await store.read(key, (account, now) => {
      for (const id of changes.tasks) {
        const task = account.tasks.get(id)
        if (task !== undefined) add({ kind: 'task', record: briefTaskOf(viewAt(task, now)) })
        // The calls about an asset name its job in place of a task.
        else if (!account.jobs.has(id)) add({ kind: 'gone', id })
      }
      const latest = this.#latestTexts.get(account.id) ?? new Map<string, string>()
      this.#latestTexts.set(account.id, latest)
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
      if (callback !== undefined) add({ kind: 'callback', record: briefCallbackFor(key)(callback) })
    }
    for (const [id, detail] of changes.assets) add({ kind: 'asset', id, detail })
    for (const name of changes.inboxes) add({ kind: 'inbox', name })
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
