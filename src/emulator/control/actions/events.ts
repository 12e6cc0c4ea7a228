import { z } from 'zod'
import { accountIdOf } from '../../core/account/account-id.js'
import { ControlError } from '../../core/errors.js'
import { version } from '../../version.js'
import { action, all, type TextStream } from '../action.js'
import type { LiveEvents } from '../event-log.js'

/** Maximum number of open streams: each page has one. */
const MAX_STREAMS = 100

const ACCOUNT_ID = 'the id of an account (12 hex digits, `tag` in its record), not its key'

// An account need not exist yet. What is no id at all, such as a key, would match nothing for ever.
const accountId = z.string().regex(/^[0-9a-f]{12}$/, { error: ACCOUNT_ID })

export const eventActions = {
  'events.read': action({
    route: { method: 'GET', path: '/events' },
    summary:
      'Future events, as server-sent events that can be resumed: `hello` first, `batch` at most ten times a second, `reload` where something was missed; of the account, of the named accounts, or with `all` of every account',
    textType: 'text/event-stream; charset=utf-8',
    input: z.strictObject({
      account: z
        .union([accountId, z.array(accountId)], { error: ACCOUNT_ID })
        .optional()
        .describe('the id of an account, `tag` in its record; may be given more than once'),
      after: z
        .string()
        .optional()
        .describe('the id of the latest event that was received, as the header Last-Event-ID'),
      all,
    }),
    output: () => z.string().describe('server-sent events'),
    run: async (context, key, { account, after, all }) => {
      const live = await context.live()
      if (live.followers >= MAX_STREAMS) throw tooManyStreams()
      const accounts = all ? undefined : new Set([account ?? accountIdOf(key)].flat())
      const { instance, settings } = context
      const { seed, journalEntries } = settings
      return createEventStream({ live, instance, seed, journalEntries, accounts, after })
    },
  }),
}

const tooManyStreams = (): ControlError =>
  new ControlError(429, 'too-many-streams', {
    message: `${MAX_STREAMS} streams of events are open, which is as many as there may be.`,
    hint: 'Close some of them; one stream can have the events of every account (all=1).',
  })

interface StreamOptions {
  readonly live: LiveEvents
  /** Random id of the emulator: events of another one are not continued. */
  readonly instance: string
  readonly seed: number
  readonly journalEntries: number
  /** Ids of accounts, or undefined for every account. */
  readonly accounts: ReadonlySet<string> | undefined
  /** Id of the last event that the client has, or undefined where the stream begins now. */
  readonly after: string | undefined
}

const HEARTBEAT_MS = 15_000

/**
 * Stream of server-sent events: `hello` with the version and the latest id, then `batch` with what happened, `reload` where
 * something was missed, and a comment as a heartbeat. It reads the log only when it is read itself, so that a slow reader
 * takes no memory.
 */
export const createEventStream = (options: StreamOptions): TextStream => {
  const { live, instance, seed, journalEntries, accounts, after } = options
  const ending = new AbortController()
  const unfollow = live.follow()
  ending.signal.addEventListener('abort', unfollow)
  const idOf = (number: number): string => `${instance}.${number}`

  async function* frames(): AsyncGenerator<string> {
    let at = live.log.latest
    // A stream begins with an id, so that one that breaks before its first batch can be resumed.
    const hello = JSON.stringify({ version, instance, seed, journalEntries, at: idOf(at) })
    yield frame('hello', hello, after === undefined ? idOf(at) : undefined)
    // The log has no event of the number -1, so that the reader is told to reload.
    if (after !== undefined) at = numberOf(after, instance) ?? -1
    while (!ending.signal.aborted) {
      const events = live.log.after(at)
      at = live.log.latest
      const happened = happenedFrame(events, accounts, idOf(at))
      if (happened !== undefined) yield happened
      const hasChanged = await live.log.changed(at, HEARTBEAT_MS, ending.signal)
      if (!hasChanged && !ending.signal.aborted) yield ':\n\n'
    }
  }

  return { [Symbol.asyncIterator]: frames, stop: () => ending.abort() }
}

/** Frame of what happened on some accounts, or undefined where nothing did. Without `events` something was missed. */
const happenedFrame = (
  events: ReturnType<StreamOptions['live']['log']['after']>,
  accounts: StreamOptions['accounts'],
  id: string,
): string | undefined => {
  if (events === undefined) return frame('reload', JSON.stringify({ at: id }), id)
  const texts = events.filter(({ account }) => accounts?.has(account) ?? true).map(({ text }) => text)
  return texts.length === 0 ? undefined : frame('batch', `{"items":[${texts.join(',')}]}`, id)
}

const frame = (event: string, data: string, id: string | undefined): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`

/** The number of an event of this emulator, or undefined where the id is of another one, or no id. */
const numberOf = (id: string, instance: string): number | undefined => {
  const [, of, number] = /^(.{1,100})\.(\d{1,15})$/.exec(id) ?? []
  return of === instance ? Number(number) : undefined
}
