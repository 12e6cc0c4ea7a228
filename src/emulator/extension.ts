import { idempotent } from './concurrency.js'
import type { Emulator } from './emulator.js'

/** What is done when an emulator has stopped; `flush`: before, while it has its files. */
type End = (() => Promise<void> | void) & { readonly flush?: () => Promise<unknown> }

/** An emulator that does something more when it has stopped, once. */
export const ending = (emulator: Emulator, end: End): Emulator => ({
  ...emulator,
  stop: idempotent(async () => {
    await end.flush?.()
    await emulator.stop()
    await end()
  }),
})
