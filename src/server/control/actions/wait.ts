import { parseDuration } from '../../../core/time/duration.js'
import { action } from '../action.js'
import { ControlError } from '../control-error.js'
import { validateFilters } from '../known-names.js'
import { checkCondition, waitInput } from '../wait/look-for.js'
import { waitUntil } from '../wait/until.js'

/** Answers as soon as it has happened, or with 408 and what there is when it has not within the timeout (of real time). */
export const wait = action({
  route: { method: 'GET', path: '/wait' },
  input: waitInput,
  run: async (emulator, key, input) => {
    if (input.for === 'request') await validateFilters(emulator, input)
    const leave = emulator.waiting.enter()
    if (leave === undefined) throw tooManyWait(emulator.settings.waitsAtOnce)
    try {
      return await waitUntil(
        emulator,
        key,
        () => checkCondition(emulator, key, input),
        parseDuration(input.timeout),
      )
    } finally {
      leave()
    }
  },
})

const tooManyWait = (most: number): ControlError =>
  new ControlError(
    429,
    'too-many-waits',
    `${most} calls wait already, and the setting waitsAtOnce is ${most}.`,
    'Wait for fewer things at a time, or raise the setting.',
  )
