import type { AnyAction, ControlContext } from '../control/action.js'
import { actions } from '../control/actions/index.js'
import { describeInputIssues, runAction } from '../control/invoke.js'
import { EmulatorError } from '../core/errors.js'
import type { Transport } from './handles.js'

/** Does actions on an emulator in this process, for the account of a key. */
export const localTransport =
  (emulator: ControlContext, key: string): Transport =>
  async (name, input) => {
    const action: AnyAction = actions[name]
    const shape = action.input.safeParse(input)
    if (!shape.success)
      throw new EmulatorError(describeInputIssues(action.input, shape.error.issues, input), {
        code: 'bad-input',
      })
    return copied(await runAction(emulator, action, key, shape.data))
  }

// A copy as JSON makes it: nobody gets hold of the emulator's own records, and over HTTP it looks the same.
const copied = <T>(result: T): T => JSON.parse(JSON.stringify(result))
