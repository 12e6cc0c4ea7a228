/** A message of a stream of server-sent events. */
export interface StreamMessage {
  readonly event: string
  /** The id to resume from; empty: none was sent. */
  readonly id: string
  readonly data: string
}

/**
 * Parser of server-sent events as the emulator writes them, each field on one line: takes chunks of text and returns the
 * messages that they complete, without comments.
 */
export const createStreamParser = () => {
  let buffer = ''
  return (chunk: string): StreamMessage[] => {
    const blocks = (buffer + chunk).replaceAll('\r\n', '\n').split('\n\n')
    buffer = blocks.pop() ?? ''
    return blocks.map(messageOf).filter(({ event }) => event !== '')
  }
}

// Not by `^` and `.`: a text in the data can have one of the other ends of a line that expressions know (U+2028).
const messageOf = (block: string): StreamMessage => {
  const field = (name: string) => new RegExp(`(?:^|\\n)${name}: ([^\\n]*)`).exec(block)?.[1] ?? ''
  return { event: field('event'), id: field('id'), data: field('data') }
}
