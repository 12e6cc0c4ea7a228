/** A message of a stream of server-sent events. */
export interface StreamMessage {
  readonly event: string
  /** The id to resume from; empty: none was sent. */
  readonly id: string
  readonly data: string
}

/** Parser of server-sent events: takes chunks of text and returns the messages that they complete, without comments. */
export const createStreamParser = () => {
  let buffer = ''
  return (chunk: string): StreamMessage[] => {
    const blocks = (buffer + chunk).replaceAll('\r\n', '\n').split('\n\n')
    buffer = blocks.pop() ?? ''
    return blocks.map(messageOf).filter(({ data, event }) => data !== '' || event !== 'message')
  }
}

const messageOf = (block: string): StreamMessage => {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
  })
  const valuesOf = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value)
  return {
    event: valuesOf('event').at(-1) ?? 'message',
    id: valuesOf('id').at(-1) ?? '',
    data: valuesOf('data').join('\n'),
  }
}
