import { z } from 'zod'
import { accountIdOf } from '../../core/account/account-id.js'
import { ControlError } from '../../core/control-error.js'
import { action, all } from '../action.js'
import { createEventStream } from '../live/event-stream.js'

/** Streams that may be open at the same time: a page has one. */
const MAX_STREAMS = 100

export const readEvents = action({
  route: { method: 'GET', path: '/events' },
  summary:
    'What happens from now on, as server-sent events that can be resumed: `hello` first, `batch` at most ten times a second, `reload` where something was missed; of the account, of those that are named, or with `all` of every account',
  textType: 'text/event-stream; charset=utf-8',
  input: z.strictObject({
    account: z
      .union([z.string(), z.array(z.string())])
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
    const accounts = all === undefined ? new Set([account ?? accountIdOf(key)].flat()) : undefined
    const { instance, settings } = context
    return createEventStream({ live, instance, seed: settings.seed, accounts, after })
  },
})

const tooManyStreams = (): ControlError =>
  new ControlError(
    429,
    'too-many-streams',
    `${MAX_STREAMS} streams of events are open, which is as many as there may be.`,
    'Close some of them; one stream can have the events of every account (all=1).',
  )
