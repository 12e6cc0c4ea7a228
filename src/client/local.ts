import type { ControlContext } from '../control/context.js'
import { invokeAction } from '../control/invoke.js'
import type { Transport } from './handles.js'

/** Local transport: invokes actions on an emulator in this process, for the account of a key. */
export const localTransport =
  (context: ControlContext, key: string): Transport =>
  async (name, input) =>
    copied(await invokeAction(context, name, key, input))

// A copy as JSON makes it: callers do not get the emulator's own records, and it looks as it does over HTTP.
const copied = <T>(result: unknown): T => JSON.parse(JSON.stringify(result))
