import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type InboxNote, textOfNote } from '../accounts/notes.js'
import type { Store } from '../accounts/store.js'
import { DEFAULT_KEY } from '../core/account/account.js'
import { keyOf } from '../core/account/account-id.js'
import type { CallbackSignature, SignatureVerdict } from '../core/callback/delivery.js'
import type { Body, Reply } from '../core/model/call.js'
import { type QuotaReporter, Usage } from '../core/quotas.js'
import { textAt } from '../core/request.js'
import { createBodyBudget, readBody } from '../service/body.js'
import { sendReply } from '../service/files.js'
import { DELIVERY_ID_HEADER } from './http-client.js'
import { verifySignature } from './signature.js'

interface InboxParts {
  /** Paths of the task's id in the callbacks of the families, the deepest first. */
  readonly taskIdPaths: readonly string[]
  /** Whether the service takes a key: no other opens an account here. */
  readonly isKnownKey: (key: string) => boolean
  readonly store: Store
  /** Messages kept per account. */
  readonly max: number
  /** Bytes of the messages of all accounts. */
  readonly maxBytes: number
  readonly quotas: QuotaReporter
  /** How the callbacks of a family are signed, or undefined where they are not. Default: none are signed. */
  readonly signatureOf?: ((family: string) => CallbackSignature | undefined) | undefined
  /** Receives the account and the box that a message was kept for. */
  readonly onKept: (key: string, name: string) => void
}

// What a message takes besides its body.
const HEAD_BYTES = 1_000
const MAX_BODY_BYTES = 2 ** 20
const KEPT_HEADERS = ['content-type', 'user-agent', DELIVERY_ID_HEADER.toLowerCase()]

/** The messages of an account, in the order in which they came. */
interface AccountInbox {
  readonly items: InboxNote[]
  evicted: number
}

export type Inbox = ReturnType<typeof createInbox>

/** Inbox, the built-in callback receiver: any number of named boxes for each account (gap Z11). */
export const createInbox = (parts: InboxParts) => {
  const { taskIdPaths, isKnownKey, store, max, maxBytes, quotas, signatureOf, onKept } = parts
  const inboxes = new Map<string, AccountInbox>()
  // Of all messages that come in at the same time.
  const budget = createBodyBudget(64 * MAX_BODY_BYTES)
  const usage = new Usage()
  quotas.measure({
    'inbox-bytes': () => usage.total,
    'inbox-messages': () =>
      [...inboxes.values()].reduce((size, { items }) => Math.max(size, items.length), 0),
  })

  const inboxOf = (key: string): AccountInbox => inboxes.get(key) ?? { items: [], evicted: 0 }

  /** Keeps a message that this or another replica has received. */
  const keep = (key: string, message: InboxNote): void => {
    const inbox = inboxOf(key)
    inboxes.set(key, inbox)
    inbox.items.push(message)
    usage.add(key, HEAD_BYTES + message.bytes)
    if (inbox.items.length > max) {
      quotas.hit('inbox-messages')
      evictOldest(key)
    }
    if (usage.total > maxBytes) {
      quotas.hit('inbox-bytes')
      while (usage.total > maxBytes) evictOldest(usage.largest() ?? key)
    }
    onKept(key, message.name)
  }

  const evictOldest = (key: string): void => {
    const inbox = inboxOf(key)
    const evicted = inbox.items.shift()
    if (evicted === undefined) return
    inbox.evicted += 1
    usage.add(key, -HEAD_BYTES - evicted.bytes)
  }

  /** The account whose task a message reports, or the default one, and the family of the task. */
  const ownerOf = async (
    deliveryId: string | null,
    body: unknown,
  ): Promise<{ readonly key: string; readonly family?: string | undefined }> => {
    // A profile can have renamed the field of the id, or moved it.
    const named = taskIdPaths.map((path) => textAt(body, path.split('.'))).find((text) => text !== undefined)
    const id = named ?? deliveryId?.replace(/-\d+$/, '')
    if (id === undefined) return { key: DEFAULT_KEY }
    for (const key of await store.keys()) {
      const owned = await store.read(key, ({ tasks, callbacks }) =>
        tasks.has(id) || callbacks.queues.has(id) ? { key, family: tasks.get(id)?.family } : undefined,
      )
      if (owned !== undefined) return owned
    }
    return { key: DEFAULT_KEY }
  }

  const verdictOn = (
    family: string | undefined,
    headers: IncomingHttpHeaders,
    { id, chunks }: { readonly id: string; readonly chunks: readonly Uint8Array[] },
  ): { readonly signature?: SignatureVerdict } => {
    const signature = family === undefined ? undefined : signatureOf?.(family)
    return signature === undefined
      ? {}
      : { signature: verifySignature(signature, headers, { id, body: chunks }) }
  }

  const receiveMessage = async (
    { headers }: IncomingMessage,
    name: string,
    body: unknown,
    bytes: number,
    chunks: readonly Uint8Array[],
  ): Promise<void> => {
    const given = keyOf(headers.authorization)
    const deliveryId = String(headers[DELIVERY_ID_HEADER.toLowerCase()] ?? '') || null
    const named = given !== undefined && isKnownKey(given) ? given : undefined
    const owner =
      named === undefined || signatureOf !== undefined ? await ownerOf(deliveryId, body) : { key: named }
    const key = named ?? owner.key
    const receivedAt = await store.read(key, (_, now) => now)
    const verdict = verdictOn(owner.family, headers, { id: deliveryId ?? '', chunks })
    const kept = keptHeaders(headers, owner.family === undefined ? undefined : signatureOf?.(owner.family))
    const item = { receivedAt, deliveryId, headers: kept, body, ...verdict }
    const message = { name, item, bytes }
    await store.note(key, () => textOfNote({ inbox: message }))
    keep(key, message)
  }

  return {
    /** What a box has received, first come first. `evicted` counts what had to go from any box of the account. */
    list: (key: string, name: string) => {
      const { items, evicted } = inboxOf(key)
      return { name, items: items.filter((kept) => kept.name === name).map(({ item }) => item), evicted }
    },
    /** The names of the boxes of an account that have messages, and how many each has. */
    countByName: (key: string): ReadonlyMap<string, number> => {
      const counts = new Map<string, number>()
      for (const { name } of inboxOf(key).items) counts.set(name, (counts.get(name) ?? 0) + 1)
      return counts
    },
    /** `POST /inbox/:name`: gives a challenge back, remembers anything else. */
    receive: async (request: IncomingMessage, response: ServerResponse, name: string): Promise<void> => {
      // What is signed are the bytes as they came.
      const chunks: Uint8Array[] = []
      if (signatureOf !== undefined) request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      const { body, bytes, release } = await readBody(request, MAX_BODY_BYTES, budget)
      release?.()
      if (body.kind !== 'json') return sendReply(response, refusals[body.kind] ?? notJson)
      const challenge = textAt(body.value, ['challenge'])
      // It would empty every box, and be evicted itself.
      if (challenge === undefined && HEAD_BYTES + bytes > maxBytes) {
        quotas.refuse('inbox-bytes')
        return sendReply(response, tooLargeForBoxes(bytes, maxBytes))
      }
      if (challenge === undefined) await receiveMessage(request, name, body.value, bytes, chunks)
      sendReply(response, { status: 200, body: challenge === undefined ? {} : { challenge } })
    },
    keep,
    forget: (key: string): void => {
      inboxes.delete(key)
      usage.set(key, 0)
    },
  }
}

const refusalOf = (status: number, message: string, headers?: Reply['headers']): Reply => {
  const hint = 'Post what a callback of the service would post.'
  return { status, headers, body: { error: { code: 'bad-message', message, hint } } }
}

const tooLargeForBoxes = (bytes: number, max: number): Reply =>
  refusalOf(
    413,
    `A message of ${bytes} bytes takes ${HEAD_BYTES} more, and all of the inbox at most ${max} (setting inboxBytes).`,
  )

const notJson = refusalOf(400, 'The inbox takes JSON messages.')

const refusals: Readonly<Partial<Record<Body['kind'], Reply>>> = {
  'too-large': refusalOf(413, 'The inbox takes messages of up to 1 MiB.'),
  busy: refusalOf(503, 'The inbox reads as many messages as it has memory for.', { 'Retry-After': '1' }),
}

const keptHeaders = (
  headers: IncomingHttpHeaders,
  { header, timestamp }: Partial<CallbackSignature> = {},
): Record<string, string> =>
  Object.fromEntries(
    [...KEPT_HEADERS, header ?? [], timestamp ?? []]
      .flat()
      .map((name) => name.toLowerCase())
      .flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
