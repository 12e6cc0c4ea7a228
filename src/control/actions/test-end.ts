import { clearTimeout, setTimeout } from 'node:timers'
import { z } from 'zod'
import { explain } from '../../core/journal/explain.js'
import { buildTimeline } from '../../core/journal/timeline.js'
import { accountIdOf } from '../../core/model/account.js'
import { unusedStepsOf } from '../../core/scenario/explain.js'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/iso.js'
import { action, type ControlContext } from '../action.js'
import { callbacksOf, shownCallback } from './callbacks.js'
import { shownEntry } from './requests.js'

/** Everything that has happened on the account, in order, a line each: calls, tasks, assets, callbacks. */
export const readTimeline = action({
  route: { method: 'GET', path: '/timeline' },
  input: z.strictObject({}),
  run: async (emulator, key) => ({ items: await timelineOf(emulator, key) }),
})

const timelineOf = async (emulator: ControlContext, key: string) => {
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

/** How long callbacks that are on their way are waited for, in real time. */
const PATIENCE_MS = 2_000

/**
 * What a test should not leave behind: calls that no operation has a route for, callbacks that their receiver has not
 * accepted, and required steps of scenarios that have not acted.
 */
export const readLooseEnds = action({
  route: { method: 'GET', path: '/loose-ends' },
  input: z.strictObject({}),
  run: (emulator, key) => looseEndsOf(emulator, key),
})

const looseEndsOf = async (emulator: ControlContext, key: string) => {
  await landedOrLate(emulator, key)
  const entries = emulator.journals.journalOf(key).list()
  const { items } = await callbacksOf(emulator, key)
  return {
    unexpectedCalls: entries
      .filter(({ operation }) => operation === undefined)
      .map((entry) => ({ ...shownEntry(entry), explanation: explain(entry, emulator.routes) }))
      .reverse(),
    undeliveredCallbacks: items
      .filter(({ state }) => state !== 'delivered')
      .map(shownCallback)
      .reverse(),
    unusedSteps: await emulator.store.run(key, ({ playing }) => unusedStepsOf(playing)),
  }
}

const landedOrLate = async ({ callbacks }: ControlContext, key: string): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  await Promise.race([callbacks.idle(key), late])
  clearTimeout(timer)
}

/**
 * The end of a test, in one call: the account's loose ends, with everything that happened where there are any; and the
 * account begins anew. With `all`, calls and callbacks of every account are looked at, and every account begins anew;
 * steps are those of this account alone, since what plays for all need not act for each.
 */
export const finish = action({
  route: { method: 'POST', path: '/finish' },
  input: z.strictObject({ all: z.string().optional() }),
  run: async (emulator, key, { all }) => {
    const others = all === undefined ? [] : (await emulator.store.keys()).filter((one) => one !== key)
    const keys = [key, ...others]
    const ends = await Promise.all(keys.map((one) => looseEndsOf(emulator, one)))
    const found = {
      unexpectedCalls: ends.flatMap(({ unexpectedCalls }) => unexpectedCalls),
      undeliveredCallbacks: ends.flatMap(({ undeliveredCallbacks }) => undeliveredCallbacks),
      unusedSteps: ends[0]?.unusedSteps ?? [],
    }
    const isFine = Object.values(found).every(({ length }) => length === 0)
    const timelines = isFine ? [] : await Promise.all(keys.map((one) => timelineOf(emulator, one)))
    for (const one of keys) await emulator.forget(one)
    return { ...found, timeline: timelines.flat() }
  },
})
