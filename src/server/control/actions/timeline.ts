import { z } from 'zod'
import { accountIdOf } from '../../../core/account/account.js'
import { buildTimeline } from '../../../core/journal/chronicle.js'
import { readClock } from '../../../core/time/clock.js'
import { action, type ControlContext } from '../action.js'
import { isoOf } from '../iso.js'
import { callbacksOf } from './callbacks.js'

/** Everything that has happened on the account, in order, a line each: calls, tasks, assets, callbacks. */
export const readTimeline = action({
  route: { method: 'GET', path: '/timeline' },
  input: z.strictObject({}),
  run: async (emulator, key) => ({ items: await timelineOf(emulator, key) }),
})

export const timelineOf = async (emulator: ControlContext, key: string) => {
  const { items } = await callbacksOf(emulator, key)
  const occurrences = await emulator.store.run(key, (account) =>
    buildTimeline({
      entries: emulator.journals.journalOf(key).list().reverse(),
      tasks: [...account.tasks.values()],
      assets: [...account.assets.values()],
      callbacks: items.reverse(),
      now: readClock(account.clock, emulator.wall()),
    }),
  )
  return occurrences.map(({ at, ...occurrence }) => ({
    at: isoOf(at),
    account: accountIdOf(key),
    ...occurrence,
  }))
}
