import { createRequire } from 'node:module'
import { EmulatorError } from '../core/errors.js'
import { clearInterval, delay, setInterval } from '../timers.js'

/** Address of a shared store as it may be shown: without user and password. */
export const redactedUrl = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

type Argument = string | Buffer

/** Connection to a Redis or Valkey server, which is made anew when it breaks. */
export type Connection = Awaited<ReturnType<typeof connect>>

/** Lua script: what the store does in one step. */
interface Script {
  readonly text: string
  readonly sha: string
}

/** How long a start waits for the store. */
const START_MS = 5_000
/** Number of watchdog turns without an answer to a ping after which a server counts as gone. */
const MAX_SILENT_TURNS = 3
const WATCHDOG_MS = 1_000
const MAX_RETRY_MS = 500

/**
 * Connects to a store.
 * @param onChange called when the connection broke or could not be made, and when it stands again (undefined)
 * @throws EmulatorError `store-client-missing` or `store-unavailable`
 */
export const connect = async (url: string, onChange: (error: EmulatorError | undefined) => void) => {
  const { createClient, RESP_TYPES } = loadClient()
  let generation = 0
  const client = createClient({
    url,
    RESP: 2,
    name: 'backlot',
    disableOfflineQueue: true,
    socket: {
      connectTimeout: START_MS,
      reconnectStrategy: (retries: number) => Math.min(50 * (retries + 1), MAX_RETRY_MS),
    },
  } as object)
  const bytesOf = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  let last: unknown
  client.on('error', (error) => {
    last = error
    onChange(unavailable(url, error))
  })
  client.on('ready', () => {
    generation += 1
    onChange(undefined)
  })
  const timeout = delay(START_MS, undefined, { ref: false }).then(() => {
    throw last ?? new Error('no answer')
  })
  await Promise.race([client.connect(), timeout]).catch((error) => {
    client.destroy()
    throw unavailable(url, error, 'Start it, or name another one (setting store).')
  })

  // A server that hangs keeps its connections open: commands would wait for ever.
  let silentTurns = 0
  const answered = () => {
    silentTurns = 0
  }
  const watchdog = setInterval(() => {
    if (silentTurns === 0) void client.ping().then(answered, () => {})
    silentTurns += client.isReady ? 1 : 0
    if (silentTurns <= MAX_SILENT_TURNS) return
    silentTurns = 0
    client.destroy()
    last = new Error('it does not answer')
    onChange(unavailable(url, last))
    client.connect().catch(() => {})
  }, WATCHDOG_MS).unref()

  /** Number of heartbeats that have to succeed before a server that refused changes works again. */
  let heartbeatsLeft = 0
  const rethrow = (error: unknown): never => {
    // While there is no connection, the client names no cause.
    const failure = unavailable(url, client.isReady ? error : (last ?? error))
    if (REFUSED_CHANGE.test(String(error))) {
      // A server whose memory is almost full accepts some changes in between.
      heartbeatsLeft = 2
      onChange(failure)
    }
    throw failure
  }
  /** Sends a command. @throws EmulatorError `store-unavailable` where its outcome is not known, or it was not sent */
  const send = <T>(...command: readonly Argument[]): Promise<T> =>
    client.sendCommand<T>(command).catch(rethrow)
  return {
    send,
    /** Sends a change that is sent at intervals. */
    sendHeartbeat: async (...command: readonly Argument[]): Promise<void> => {
      await send(...command)
      if (heartbeatsLeft === 1) onChange(undefined)
      heartbeatsLeft = Math.max(0, heartbeatsLeft - 1)
    },
    /** The same with bytes in the answer. */
    sendForBytes: <T>(...command: readonly Argument[]) => bytesOf.sendCommand<T>(command).catch(rethrow),
    /** Runs a Lua script by its hash, which is loaded at first use. */
    run: async <T>({ sha, text }: Script, keys: readonly string[], args: readonly Argument[]): Promise<T> => {
      const rest = [String(keys.length), ...keys, ...args]
      try {
        return await client.sendCommand<T>(['EVALSHA', sha, ...rest])
      } catch (error) {
        // Refused before anything was done.
        if (!String(error).includes('NOSCRIPT')) return rethrow(error)
        return send('EVAL', text, ...rest)
      }
    },
    /** Number of times that the connection was made: what was read in an earlier one may have been lost by a failover. */
    get generation() {
      return generation
    },
    close: async (): Promise<void> => {
      clearInterval(watchdog)
      if (client.isReady) await client.close().catch(() => {})
      else client.destroy()
    },
  }
}

const loadClient = (): typeof import('@redis/client') => {
  try {
    // Bundlers do not look for a package that is loaded so; it is optional.
    return createRequire(import.meta.url)('@redis/client')
  } catch (cause) {
    throw new EmulatorError('A shared store needs the package @redis/client, which is not installed.', {
      code: 'store-client-missing',
      hint: 'Install it beside Backlot: npm install @redis/client@6',
      cause,
    })
  }
}

/** Replies of a server that answers, but refuses changes: it is out of memory, cannot save, or is a replica of another one. */
const REFUSED_CHANGE = /\b(OOM|MISCONF|READONLY|NOREPLICAS)\b/

const RECOVERS = 'Calls are answered again as soon as it can be used; nothing has to be restarted.'

const unavailable = (url: string, error: unknown, hint = RECOVERS): EmulatorError =>
  new EmulatorError(`The shared store ${redactedUrl(url)} cannot be used: ${reasonOf(error)}.`, {
    code: 'store-unavailable',
    hint: hints.find(([reply]) => reply.test(String(error)))?.[1] ?? hint,
    cause: error,
  })

/** What to do about a reply of the server. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /\b(WRONGPASS|NOAUTH|AUTH)\b/,
    'Check the user and the password in the URL (setting store), which are percent-encoded: redis://user:password@host:6379.',
  ],
  [/\bOOM\b/, `Give it more memory (maxmemory). ${RECOVERS}`],
]

const reasonOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || String(error)).replace(/\.$/, '')
}
