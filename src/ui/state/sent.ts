import type { Draft } from './draft.js'

/** Answer of a call that the page has sent. */
export interface Answer {
  /** Undefined where the connection was ended without an answer, or the user has cancelled the call. */
  readonly status?: number | undefined
  /** Why there is no answer; empty: there is one. */
  readonly problem: string
  /** From the first byte sent to the last one received, in milliseconds of this machine. */
  readonly ms: number
  /** Of its body. */
  readonly bytes: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: AnswerBody
  /** Id of the request in the journal; empty: unknown. */
  readonly requestId: string
  /** Status that the dry run had promised, or undefined where there was no dry run. */
  readonly promised?: number | undefined
}

/** Body of an answer: a JSON value, a text, or a medium as an object URL of the page. */
type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly url: string; readonly type: string }
  | { readonly kind: 'none' }

/** Reads the body of an answer. @param urlOf makes an object URL */
export const readAnswer = async (
  response: Response,
  urlOf: (blob: Blob) => string,
): Promise<Pick<Answer, 'status' | 'bytes' | 'headers' | 'body' | 'requestId'>> => {
  const blob = await response.blob()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    bytes: blob.size,
    headers: [...response.headers],
    body: await bodyOf(blob, type, urlOf),
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

const bodyOf = async (blob: Blob, type: string, urlOf: (blob: Blob) => string): Promise<AnswerBody> => {
  if (blob.size === 0) return { kind: 'none' }
  if (/^(image|video|audio)\//.test(type)) return { kind: 'file', url: urlOf(blob), type }
  const text = await blob.text()
  if (!type.includes('json')) return { kind: 'text', text }
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return { kind: 'text', text }
  }
}

/** A call that was sent from the page. */
export interface HistoryItem {
  /** By the clock of this machine, in milliseconds. */
  readonly at: number
  readonly operation: string
  readonly draft: Draft
  readonly status?: number | undefined
  readonly ms: number
  readonly requestId: string
}

const MAX_HISTORY = 20
/** Longer bodies are not kept over a reload: the browser has room for a few megabytes in all. */
const MAX_STORED_TEXT = 64 * 1024

/** A history with one more call, newest first. */
export const withItem = (history: readonly HistoryItem[], item: HistoryItem): readonly HistoryItem[] =>
  [item, ...history].slice(0, MAX_HISTORY)

/** What of a history is kept over a reload. */
export const storedHistory = (history: readonly HistoryItem[]): readonly HistoryItem[] =>
  history.filter(({ draft }) => draft.text.length <= MAX_STORED_TEXT)
