/** Something that has happened on an account, as text, with its place among all. */
interface LoggedEvent {
  readonly number: number
  readonly account: string
  /** JSON. */
  readonly text: string
}

/** Ring buffer of events as text, within a number of entries and of characters, from which streams are resumed. */
export interface EventLog {
  /** The number of the latest event; 0: none has come. */
  readonly latest: number
  add(account: string, text: string): void
  /** Drops everything: a reader that has not read so far has to reload. */
  clear(): void
  /** What came after an event, in order; undefined: some of it was evicted, or the number has not been given. */
  after(number: number): readonly LoggedEvent[] | undefined
}

/** @param most how many entries, and how many characters of all of them */
export const createEventLog = (most: { readonly entries: number; readonly characters: number }): EventLog => {
  const entries: LoggedEvent[] = []
  let latest = 0
  let characters = 0
  return {
    get latest() {
      return latest
    },
    add: (account, text) => {
      latest += 1
      entries.push({ number: latest, account, text })
      characters += text.length
      while (entries.length > most.entries || characters > most.characters)
        characters -= entries.shift()?.text.length ?? characters
    },
    clear: () => {
      // A number that stands for what was dropped: a reader that is up to date has missed it too.
      latest += 1
      entries.length = 0
      characters = 0
    },
    after: (number) => {
      if (number > latest) return undefined
      const first = latest - entries.length
      return number < first ? undefined : entries.slice(number - first)
    },
  }
}
