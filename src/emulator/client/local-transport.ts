import type { ControlContext } from '../control/action.js'
import type { Transport } from './handles.js'

/** Local transport: invokes actions on an emulator in this process, for the account of a key. They are loaded when first used. */
export const localTransport =
  (context: ControlContext, key: string): Transport =>
  async (name, input) => {
    const { invokeAction } = await import('../control/invoke.js')
    // A copy: callers get no records of the emulator itself, and the same values as over HTTP.
    return JSON.parse(JSON.stringify(await invokeAction(context, name, key, input)))
  }
