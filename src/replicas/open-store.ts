import { parseJson } from '../emulator/surface/journal.js'
import { type OpenStore, otherSeed, signingSecretOf } from '../emulator/surface/persistence.js'
import { EmulatorError, type HealthReporter, noHealthReporter } from '../emulator/surface/records.js'
import { type Connection, connect, redactedUrl } from './connection.js'
import { createRedisLog } from './redis-log.js'
import { putInputScript } from './scripts.js'
import { SharedStore } from './shared-store.js'

/** Server record: what the store holds for all replicas together. */
interface StoredServer {
  readonly seed: number
  readonly secret: string
  readonly controlToken: string | undefined
}

/** Opens a shared store on Redis or Valkey. */
export const openSharedStore: OpenStore = async (
  url,
  { settings, controlToken, now, onInternalError, onWarning },
) => {
  let health: HealthReporter = noHealthReporter
  let trouble: EmulatorError | undefined
  const onChange = (error: EmulatorError | undefined): void => {
    trouble = error
    if (error === undefined) health.resolve('store')
    else health.report('store', error)
  }
  const connection = await connect(url, onChange)
  try {
    const prefix = settings.storePrefix
    const server = await agreedServer(connection, url, `${prefix}server`, {
      seed: settings.seed,
      secret: signingSecretOf(settings),
      controlToken,
    })
    if (server.seed !== settings.seed) throw otherSeed(redactedUrl(url), server.seed, settings.seed)
    const sharedToken = server.controlToken ?? (await agreedToken(connection, `${prefix}token`, controlToken))
    const policy = await evictionPolicyOf(connection).catch((error: EmulatorError) => {
      onWarning(
        `It could not be checked whether the shared store evicts keys; its maxmemory-policy must be noeviction. ${error.sentence}`,
      )
      return undefined
    })
    const log = await createRedisLog({
      connection,
      prefix,
      now,
      onError: onInternalError,
      expiryMs: settings.storeExpiryMs,
      maxNotes: settings.journalEntries,
    })
    const inputs = createInputs(connection, prefix, settings.storeInputBytes, log.now)
    connection.started()
    return {
      secret: settings.signingSecret ?? server.secret,
      mediaFolder: undefined,
      accounts: [],
      shared: {
        now: log.now,
        createStore: (parts) =>
          new SharedStore(log, { ...parts, onLost: () => health.report('store-tail', lostTail()) }),
        controlToken: sharedToken,
        ...inputs,
      },
      reportTo: (reporter) => {
        health = reporter
      },
      listening: async () => {
        // Not before: the log and standard error would not hear of it.
        if (policy !== undefined) health.report('store-eviction', evicts(redactedUrl(url), policy))
      },
      facts: () => ({ file: redactedUrl(url), bytes: 0, writtenAt: null, trouble: trouble?.message ?? null }),
      stop: async () => {
        await log.stop()
        await connection.close()
      },
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Server record on which all replicas agree: the one that the first of them has written. */
const agreedServer = async (
  { send }: Connection,
  url: string,
  name: string,
  candidate: StoredServer,
): Promise<StoredServer> => {
  await send('SET', name, JSON.stringify(candidate), 'NX')
  const server = parseJson(await send<string>('GET', name)) as Partial<StoredServer> | null | undefined
  if (typeof server?.seed === 'number' && typeof server.secret === 'string') return server as StoredServer
  throw new EmulatorError(`In the shared store ${redactedUrl(url)}, the key ${name} is damaged.`, {
    code: 'bad-state',
    hint: 'Restore it from a backup. To begin anew, set another storePrefix, or remove all keys of this one.',
  })
}

/**
 * Control token on which all replicas agree where the server record has none: its writer had no need of one, as on loopback.
 * @param made the one to share where there is none, or undefined where this replica has no need of one either
 */
const agreedToken = async ({ send }: Connection, name: string, made: string | undefined) => {
  if (made !== undefined) await send('SET', name, made, 'NX')
  return (await send<string | null>('GET', name)) ?? undefined
}

/** Eviction policy of a store of limited memory, or undefined where it evicts nothing. */
const evictionPolicyOf = async ({ send }: Connection): Promise<string | undefined> => {
  const memory = await send<string>('INFO', 'memory')
  const policy = /^maxmemory_policy:(.*?)\r?$/m.exec(memory)?.[1]
  return /^maxmemory:[1-9]/m.test(memory) && policy !== 'noeviction' ? policy : undefined
}

/** LRU store of inputs by their hash, of limited size. */
const createInputs = (connection: Connection, prefix: string, maxBytes: number, now: () => number) => ({
  putInput: async (hash: string, bytes: Uint8Array) => {
    const keys = [`${prefix}inputs`, `${prefix}input-sizes`, `${prefix}input-bytes`]
    const args = [hash, Buffer.from(bytes), String(now()), String(maxBytes), `${prefix}input:`]
    await connection.run(putInputScript, keys, args)
  },
  getInput: async (hash: string) => {
    const bytes = await connection.sendForBytes<Buffer | null>('GET', `${prefix}input:${hash}`)
    if (bytes === null) return undefined
    await connection.send('ZADD', `${prefix}inputs`, 'XX', String(now()), hash)
    return bytes
  },
})

const evicts = (store: string, policy: string): EmulatorError =>
  new EmulatorError(`The shared store ${store} deletes parts of accounts when its memory is full.`, {
    code: 'store-evicts',
    hint: `Set its maxmemory-policy, which is ${policy}, to noeviction.`,
  })

const lostTail = (): EmulatorError =>
  new EmulatorError('The shared store has lost changes that were answered already, as after a failover.', {
    code: 'store-tail-lost',
    hint: 'Accounts go on from what the store has. Set appendfsync always, or min-replicas-to-write, to lose less.',
  })
