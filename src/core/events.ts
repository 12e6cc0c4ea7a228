import type { Happening } from './account/settle.js'
import type { CallbackRecord } from './callback/callback.js'
import type { Entry } from './journal/entry.js'

/** What the emulator tells whoever listens: the screen, the JSON log, whoever waits. */
export interface Events {
  request: [entry: Entry]
  happening: [happening: Happening & { readonly account: string }]
  /** An attempt has ended, or the callback will not be sent. */
  callback: [record: CallbackRecord & { readonly account: string }]
  /** The built-in receiver has kept a message. */
  inbox: [about: { readonly account: string }]
}
