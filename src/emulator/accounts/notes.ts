import type { SignatureVerdict } from '../core/callback/delivery.js'
import type { ControlRecord, JournalEntry } from '../core/journal/entry.js'
import type { Instant } from '../core/schedule/time.js'

/**
 * Note of an account: a line of JSON beside its records, by which replicas share calls, control actions and the messages of
 * the built-in receiver.
 */
type AccountNote =
  | { readonly call: JournalEntry }
  | { readonly control: ControlRecord }
  | { readonly inbox: InboxNote }

/** Message that the built-in receiver has kept. */
export interface InboxNote {
  /** Of the box. */
  readonly name: string
  readonly item: InboxItem
  /** Size of the body. */
  readonly bytes: number
}

/** Message that the built-in receiver has taken. */
export interface InboxItem {
  /** On the account's clock. */
  readonly receivedAt: Instant
  /** Null for a message that did not come from the emulator. */
  readonly deliveryId: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** What came of the check of its signature. Undefined where the profile has callbacks of its family signed by none. */
  readonly signature?: SignatureVerdict
}

// JSON has no maps. Only the resolved media of a call are one: a replacer that looks at each value takes most of the time.
export const textOfNote = (note: AccountNote): string => {
  if (!('call' in note) || note.call.sent === undefined) return JSON.stringify(note)
  const { sent } = note.call
  return JSON.stringify({ call: { ...note.call, sent: { ...sent, found: [...sent.found] } } })
}

export const readNote = (text: string): AccountNote => {
  const note = JSON.parse(text)
  const sent = note.call?.sent
  return sent === undefined ? note : { call: { ...note.call, sent: { ...sent, found: new Map(sent.found) } } }
}
