/** Kinds of findings, the gravest first, each with what a robust client would have done. */
const adviceByKind = {
  'ordered-twice':
    'An order whose answer was lost or late may have been taken. Look for its task in the list where there is one (family B); elsewhere report the order as unknown, or count with paying twice.',
  'kept-damaged-file':
    'Compare the length of a file with Content-Length, decode it, and fetch it again where it is damaged.',
  'kept-other-file':
    'Compare a file with its order (length, size, frame rate, sound, format), and with the files of other tasks; refuse what is another one.',
  'believed-callback':
    'Take a callback for a hint, and query the task before acting on it: anyone can post to a receiver.',
  'abandoned-task':
    'Follow each task until it has ended, by queries or callbacks, or cancel it: it is charged where it succeeds.',
  'never-fetched':
    'Download a result as soon as the task has succeeded: its URL expires, and it was paid for.',
  'callback-not-answered':
    'Answer a callback with a 2xx at once, and do the work after that: others are sent again, and then no more.',
  'did-not-wait': 'Wait as long as Retry-After says before the same call is sent again.',
  hammered: 'Pause between calls, and longer after each one that brought nothing new (exponential backoff).',
  'polled-on': 'Stop asking for a task once an answer has said that it is over.',
  'fetched-twice':
    'Fetch a result once and keep the file: note which callbacks were dealt with, since each may come more than once.',
  'ignored-fields': 'Leave out the fields that the interface does not know: they change nothing.',
} as const

export type FindingKind = keyof typeof adviceByKind

export const findingKinds = Object.keys(adviceByKind) as readonly FindingKind[]

/** Finding: something that a robust client does not do. */
export interface Finding {
  readonly kind: FindingKind
  /** What was seen, in a sentence or two. */
  readonly message: string
  /** Request ids of the calls that it is about, or the ids of callbacks, oldest first. */
  readonly calls: readonly string[]
  /** What a robust client would have done. */
  readonly advice: string
  /** The section of the documentation that explains it. */
  readonly docs: string
}

/** Finding with the advice of its kind. */
export const findingOf = (kind: FindingKind, message: string, calls: readonly string[]): Finding => ({
  kind,
  message,
  calls,
  advice: adviceByKind[kind],
  docs: `docs/verdict.md#${kind}`,
})

/** User agent of downloads by matchers, which are no calls of the client under test. */
export const MATCHER_AGENT = 'backlot-matchers'
