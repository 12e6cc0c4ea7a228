import type { Instant } from '../core/schedule/time.js'
import type { JournalStore } from './journals.js'

/**
 * Note of an account: a line of JSON beside its records, by which replicas share calls, control actions and the messages of
 * the built-in receiver.
 */
type AccountNote =
  /** The text of a journal entry. It is parsed when it is listed. */
  { readonly call: string } | { readonly control: ControlNote } | { readonly inbox: InboxNote }

type ControlNote = Parameters<JournalStore['controlled']>[1]

/** Message that the built-in receiver has kept. */
export interface InboxNote {
  /** Of the box. */
  readonly name: string
  readonly item: InboxItem
  /** Size of the body. */
  readonly bytes: number
}

export interface InboxItem {
  /** On the account's clock. */
  readonly receivedAt: Instant
  /** Null for a message that did not come from the emulator. */
  readonly deliveryId: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const CALL = '{"call":'

/** @param text the JSON of a journal entry */
export const callNote = (text: string): string => `${CALL}${text}}`

export const controlNote = (control: ControlNote): string => JSON.stringify({ control })

export const inboxNote = (inbox: InboxNote): string => JSON.stringify({ inbox })

export const readNote = (note: string): AccountNote =>
  note.startsWith(CALL) ? { call: note.slice(CALL.length, -1) } : JSON.parse(note)
