/** An event of a stream. */
export interface ServerEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: { readonly items?: readonly Item[]; readonly [name: string]: unknown }
}

export interface Item {
  readonly kind: string
  readonly account: string
  readonly record?: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

export interface EventReader {
  readonly response: Response
  /** The next event, comments apart. */
  next(): Promise<ServerEvent>
  /** Reads until an item is the one that is looked for, and returns it. */
  find(isWanted: (item: Item) => boolean): Promise<Item>
  close(): Promise<void>
}

/** Reads a stream of server-sent events. */
export const readEvents = async (
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> => {
  const ending = new AbortController()
  const response = await fetch(url, { headers, signal: ending.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const seen: Item[] = []
  const next = async (): Promise<ServerEvent> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) throw new Error('The stream has ended.')
        text += value
        continue
      }
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = field('data')
      if (data === undefined) continue
      const event = { event: field('event') ?? 'message', id: field('id'), data: JSON.parse(data) }
      seen.push(...(event.data.items ?? []))
      return event
    }
  }
  return {
    response,
    next,
    find: async (isWanted) => {
      for (;;) {
        const found = seen.find(isWanted)
        if (found !== undefined) return found
        await next()
      }
    },
    close: async () => {
      ending.abort()
      await reader?.cancel().catch(() => undefined)
    },
  }
}
