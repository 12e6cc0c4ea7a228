import { z } from 'zod'
import { action, type Controlled } from '../action.js'
import { callbacksOf, shownCallback } from './callbacks.js'
import { shownEntry } from './requests.js'

/** How long callbacks that are on their way are waited for, in real time. */
const PATIENCE_MS = 2_000

/**
 * What a test should not leave behind: calls that no operation has a route for, callbacks that their receiver has not
 * accepted, and required steps of scenarios that have not acted.
 */
export const readLooseEnds = action({
  route: { method: 'GET', path: '/loose-ends' },
  input: z.object({}),
  run: async (emulator, key) => {
    await landedOrLate(emulator, key)
    const { items } = await callbacksOf(emulator, key)
    return {
      unexpectedCalls: emulator.recorder
        .journalOf(key)
        .list()
        .filter(({ operation }) => operation === undefined)
        .map(shownEntry)
        .reverse(),
      undeliveredCallbacks: items
        .filter(({ state }) => state !== 'delivered')
        .map(shownCallback)
        .reverse(),
    }
  },
})

const landedOrLate = async ({ callbacks }: Controlled, key: string): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  await Promise.race([callbacks.idle(key), late])
  clearTimeout(timer)
}
