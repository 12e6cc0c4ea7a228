import { version } from '../../version.js'
import type { TextStream } from '../action.js'
import type { LiveEvents } from '../context.js'

interface StreamOptions {
  readonly live: LiveEvents
  /** Random id of the emulator: events of another one are not continued. */
  readonly instance: string
  /** Of the emulator. */
  readonly seed: number
  /** Ids of accounts; undefined: every account. */
  readonly accounts: ReadonlySet<string> | undefined
  /** Id of the event after which to go on; undefined: from now on. */
  readonly after: string | undefined
}

const HEARTBEAT_MS = 15_000

/**
 * Stream of server-sent events: `hello` with the version and the latest id, then `batch` with what happened, `reload` where
 * something was missed, and a comment as a heartbeat. It reads the log as it is read itself, so that a slow reader takes no
 * memory.
 */
export const createEventStream = ({ live, instance, seed, accounts, after }: StreamOptions): TextStream => {
  const ending = new AbortController()
  const unfollow = live.follow()
  ending.signal.addEventListener('abort', unfollow)
  const idOf = (number: number): string => `${instance}.${number}`

  async function* events(): AsyncGenerator<string> {
    let at = live.log.latest
    // A stream begins with an id, so that one that breaks before its first batch can be resumed.
    yield frame(
      'hello',
      { version, instance, seed, at: idOf(at) },
      after === undefined ? idOf(at) : undefined,
    )
    if (after !== undefined) at = numberOf(after, instance) ?? -1
    while (!ending.signal.aborted) {
      const missed = at < 0 ? undefined : live.log.after(at)
      at = live.log.latest
      if (missed === undefined) yield frame('reload', { at: idOf(at) }, idOf(at))
      else {
        const items = missed.filter(({ account }) => accounts?.has(account) ?? true)
        const texts = items.map(({ text }) => text)
        if (texts.length > 0) yield frameOf('batch', `{"items":[${texts.join(',')}]}`, idOf(at))
      }
      if (await live.changed(at, HEARTBEAT_MS, ending.signal)) continue
      if (!ending.signal.aborted) yield ':\n\n'
    }
  }

  return { [Symbol.asyncIterator]: events, stop: () => ending.abort() }
}

const frame = (event: string, data: object, id: string | undefined): string =>
  frameOf(event, JSON.stringify(data), id)

const frameOf = (event: string, data: string, id: string | undefined): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`

/** The number of an event of this emulator; undefined: the id is of another one, or no id. */
const numberOf = (id: string, instance: string): number | undefined => {
  const [, of, number] = /^(.{1,100})\.(\d{1,15})$/.exec(id) ?? []
  return of === instance ? Number(number) : undefined
}
