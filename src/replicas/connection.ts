import { createRequire } from 'node:module'
import {
  clearInterval,
  connectionReason,
  delay,
  EmulatorError,
  setInterval,
} from '../emulator/surface/records.js'

/** Address of a shared store as it may be shown: without user and password. */
export const redactedUrl = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

type Argument = string | Buffer

/** Connection to a Redis or Valkey server, which is made anew when it breaks. */
export interface Connection {
  /** Number of times that the connection was made: what was read in an earlier one may have been lost by a failover. */
  readonly generation: number
  /** Sends a command. @throws EmulatorError `store-unavailable` where its outcome is not known, or it was not sent */
  send<T>(...command: readonly Argument[]): Promise<T>
  /** Sends a change that is sent at intervals. */
  sendHeartbeat(...command: readonly Argument[]): Promise<void>
  /** As `send`, with bytes in the answer. */
  sendForBytes<T>(...command: readonly Argument[]): Promise<T>
  /** Runs a Lua script by its hash, which is loaded at first use. */
  run<T>(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<T>
  /** From now on, errors are of calls and no longer of the start. */
  started(): void
  close(): Promise<void>
}

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
export const connect = async (
  url: string,
  onChange: (error: EmulatorError | undefined) => void,
): Promise<Connection> => {
  const { client, bytesClient } = createClients(url)
  let generation = 0
  let last: unknown
  let hasStarted = false
  const unavailableNow = (error: unknown) => unavailable(url, error, hasStarted)
  client.on('error', (error) => {
    last = error
    onChange(unavailableNow(error))
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
    throw unavailableNow(error)
  })

  const watchdog = startWatchdog(client, () => {
    last = new Error('it does not answer')
    onChange(unavailableNow(last))
  })

  /** Number of heartbeats that have to succeed before a server that refused changes works again. */
  let heartbeatsLeft = 0
  /** Whether a script met a key of the wrong type, which only a script can find to be in order again. */
  let hasWrongKey = false
  const rethrow = (error: unknown): never => {
    // While there is no connection, the client names no cause.
    const failure = unavailableNow(client.isReady ? error : (last ?? error))
    if (REFUSED_CHANGE.test(String(error))) {
      // A server whose memory is almost full accepts some changes in between.
      heartbeatsLeft = 2
      hasWrongKey = WRONG_KEY.test(String(error))
      onChange(failure)
    }
    throw failure
  }
  const send = <T>(...command: readonly Argument[]): Promise<T> =>
    client.sendCommand<T>(command).catch(rethrow)
  return {
    send,
    sendHeartbeat: async (...command) => {
      await send(...command)
      if (heartbeatsLeft === 1 && !hasWrongKey) onChange(undefined)
      heartbeatsLeft = Math.max(0, heartbeatsLeft - 1)
    },
    sendForBytes: <T>(...command: readonly Argument[]) => bytesClient.sendCommand<T>(command).catch(rethrow),
    run: async <T>({ sha, text }: Script, keys: readonly string[], args: readonly Argument[]): Promise<T> => {
      const rest = [String(keys.length), ...keys, ...args]
      try {
        const answer = await client.sendCommand<T>(['EVALSHA', sha, ...rest])
        if (hasWrongKey) onChange(undefined)
        hasWrongKey = false
        return answer
      } catch (error) {
        // Refused before anything was done.
        if (!String(error).includes('NOSCRIPT')) return rethrow(error)
        return send('EVAL', text, ...rest)
      }
    },
    started: () => {
      hasStarted = true
    },
    get generation() {
      return generation
    },
    close: async () => {
      clearInterval(watchdog)
      if (client.isReady) await client.close().catch(() => {})
      else client.destroy()
    },
  }
}

/** Client of a store, and the same one with bytes in its answers. */
const createClients = (url: string) => {
  const { createClient, RESP_TYPES } = loadClient()
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
  return { client, bytesClient: client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }) }
}

interface WatchedClient {
  readonly isReady: boolean
  ping(): Promise<unknown>
  connect(): Promise<unknown>
  destroy(): void
}

/** Watchdog: a server that hangs keeps its connections open, so that commands would wait for ever. Another connection is made then. */
const startWatchdog = (client: WatchedClient, onSilence: () => void) => {
  let silentTurns = 0
  const answered = () => {
    silentTurns = 0
  }
  return setInterval(() => {
    if (silentTurns === 0) void client.ping().then(answered, () => {})
    silentTurns += client.isReady ? 1 : 0
    if (silentTurns <= MAX_SILENT_TURNS) return
    silentTurns = 0
    client.destroy()
    onSilence()
    client.connect().catch(() => {})
  }, WATCHDOG_MS).unref()
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

/**
 * Replies of a server that answers, but refuses changes: it is out of memory, cannot save, is a replica of another one, or a key is
 * of the wrong type.
 */
const REFUSED_CHANGE = /\b(OOM|MISCONF|READONLY|NOREPLICAS|WRONGTYPE)\b/
const WRONG_KEY = /\bWRONGTYPE\b/

const RECOVERS = 'Calls are answered again as soon as it can be used; nothing has to be restarted.'

const unavailable = (url: string, error: unknown, hasStarted: boolean): EmulatorError => {
  const known = hints.find(({ reply }) => reply.test(String(error)))
  const { hint = hasStarted ? '' : 'Start it, or name another one (setting store).', ofUrl = false } =
    known ?? {}
  return new EmulatorError(`The shared store ${redactedUrl(url)} cannot be used: ${reasonOf(error)}.`, {
    code: 'store-unavailable',
    hint: hasStarted && !ofUrl ? `${hint} ${RECOVERS}`.trim() : hint,
    cause: error,
  })
}

/** What to do about a reply of the server; `ofUrl`: the emulator has to be started with another URL. */
const hints: readonly { readonly reply: RegExp; readonly hint: string; readonly ofUrl?: true }[] = [
  {
    reply: /\b(WRONGPASS|NOAUTH|AUTH)\b/,
    hint: 'Check the user and the password in the URL (setting store), which are percent-encoded: redis://user:password@host:6379.',
    ofUrl: true,
  },
  {
    reply: /certificate|SSL routines/,
    hint: 'Check its certificate, or name it with redis:// where it does not speak TLS (setting store).',
    ofUrl: true,
  },
  {
    reply: /\bDB index\b/,
    hint: 'Name a database that it has, or none: redis://127.0.0.1:6379 (setting store).',
    ofUrl: true,
  },
  {
    reply: /\b(CLUSTERDOWN|MOVED|CROSSSLOT|SELECT is not allowed in cluster mode)\b/,
    hint: 'The cluster mode of Redis is not supported: name a server without it (setting store).',
    ofUrl: true,
  },
  { reply: /\bMISCONF\b/, hint: 'Let it save its data, or see in its log why it cannot.' },
  { reply: /\bOOM\b/, hint: 'Give it more memory (maxmemory).' },
  { reply: /\bREADONLY\b/, hint: 'It is a replica of another server: name the primary (setting store).' },
  { reply: /\bNOPERM\b/, hint: 'Let its user run the commands and use the keys that docs/scaling.md lists.' },
  {
    reply: /\bWRONGTYPE\b/,
    hint: 'Something else has written a key of this prefix: remove it, or set another storePrefix.',
  },
]

// A script's error ends with its hash and a line.
const reasonOf = (error: unknown): string =>
  connectionReason(error).replace(/( script: \w+, on @\w+:\d+)?\.?$/, '')
