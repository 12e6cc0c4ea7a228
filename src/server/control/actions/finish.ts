import { z } from 'zod'
import { action } from '../action.js'
import { looseEndsOf } from './loose-ends.js'
import { timelineOf } from './timeline.js'

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
