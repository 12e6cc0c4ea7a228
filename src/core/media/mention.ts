import type { MediaFacts, MediaKind } from './facts.js'

/** A place in a body that names a piece of media. */
export interface MediaRef {
  /** The path of the field: `input.messages[0].content[1].image`. */
  readonly field: string
  /** A URL, `data:…;base64,…` or `asset://…`. */
  readonly url: string
  /** What the field is for; what the bytes are is in the facts. */
  readonly wants: MediaKind
}

/** What was found behind a mention. */
export type ResolvedMedia =
  | { readonly state: 'read'; readonly facts: MediaFacts; readonly blob: string; readonly origin: string }
  /** A URL on a host that is not read (gap Z1): no rule on facts can refuse it. */
  | { readonly state: 'unseen'; readonly origin: string }
  | { readonly state: 'refused'; readonly reason: UnusableReason; readonly detail: string }

/**
 * Why a piece of media cannot be used. `form`: neither URL nor Base64 nor asset; `unreachable`: nothing there;
 * `unreadable`: bytes that are no media; `too-large`; `asset`: unknown, not ready, failed or another account's.
 */
export type UnusableReason = 'form' | 'unreachable' | 'unreadable' | 'too-large' | 'asset'
