import { EmulatorError } from '../core/emulator-error.js'
import type { AnyAction, Controlled } from '../server/control/action.js'
import { actions } from '../server/control/actions/index.js'
import { inputProblems } from '../server/control/input-problems.js'
import { perform } from '../server/control/perform.js'
import type { Invoke } from './invoke.js'

/** Does actions on an emulator in this process, for the account of a key. */
export const localInvoke =
  (emulator: Controlled, key: string): Invoke =>
  async (name, input) => {
    const action: AnyAction = actions[name]
    const shape = action.input.safeParse(input)
    if (!shape.success)
      throw new EmulatorError(inputProblems(action.input, shape.error.issues, input), { code: 'bad-input' })
    return copied(await perform(emulator, action, key, shape.data))
  }

// A copy as JSON makes it: nobody gets hold of the emulator's own records, and over HTTP it looks the same.
const copied = <T>(result: T): T => JSON.parse(JSON.stringify(result))
