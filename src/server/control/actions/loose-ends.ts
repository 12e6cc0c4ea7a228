import { clearTimeout, setTimeout } from 'node:timers'
import { z } from 'zod'
import { explain } from '../../../core/journal/explain.js'
import { unusedStepsOf } from '../../../core/scenario/standing.js'
import { action, type ControlContext } from '../action.js'
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
  input: z.strictObject({}),
  run: (emulator, key) => looseEndsOf(emulator, key),
})

export const looseEndsOf = async (emulator: ControlContext, key: string) => {
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
