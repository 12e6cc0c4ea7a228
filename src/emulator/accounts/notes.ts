import type { SignatureVerdict } from '../core/callback/delivery.js'
import type { Instant } from '../core/schedule/time.js'
import type { JournalStore } from './journals.js'

/**
 * Note of an account: a line of JSON beside its records, by which replicas share calls, control actions and the messages of
 * the built-in receiver.
 */
type AccountNote =
  /** The JSON of a journal entry. */
  | { readonly call: string }
  | { readonly control: Parameters<JournalStore['controlled']>[1] }
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
  /** What came of the check of its signature. Undefined: the profile has callbacks of its family signed by none. */
  readonly signature?: SignatureVerdict
}

const CALL = '{"call":'

export const textOfNote = (note: AccountNote): string =>
  'call' in note ? `${CALL}${note.call}}` : JSON.stringify(note)

export const readNote = (text: string): AccountNote =>
  text.startsWith(CALL) ? { call: text.slice(CALL.length, -1) } : JSON.parse(text)
