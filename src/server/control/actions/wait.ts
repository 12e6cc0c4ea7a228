import { parseDuration } from '../../../core/time/duration.js'
import { action } from '../action.js'
import { lookFor, waitInput } from '../wait/look-for.js'
import { until } from '../wait/until.js'

/** Answers as soon as it has happened, or with 408 and what there is when it has not within the timeout (of real time). */
export const wait = action({
  route: { method: 'GET', path: '/wait' },
  input: waitInput,
  run: async (emulator, key, input) =>
    until(emulator, key, () => lookFor(emulator, key, input), parseDuration(input.timeout)),
})
