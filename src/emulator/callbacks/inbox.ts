import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type InboxItem, type InboxNote, textOfNote } from '../accounts/notes.js'
import type { Store } from '../accounts/store.js'
import { DEFAULT_KEY } from '../core/account/account.js'
import { keyOf } from '../core/account/account-id.js'
import type { CallbackSignature } from '../core/callback/delivery.js'
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

/** Message as it came in. */
interface IncomingNote {
  readonly headers: IncomingHttpHeaders
  /** Of the box. */
  readonly name: string
  readonly body: unknown
  /** Size of the body. */
  readonly bytes: number
  /** The body as it came. Empty where no signature is checked. */
  readonly chunks: readonly Uint8Array[]
}

/** The account whose task a message reports, and the family of the task. */
interface Owner {
  readonly key: string
  readonly family?: string | undefined
}

/** Inbox, the built-in callback receiver: any number of named boxes for each account (gap Z11). */
export class Inbox {
  readonly #parts: InboxParts
  readonly #inboxes = new Map<string, AccountInbox>()
  // Of all messages that come in at the same time.
  readonly #budget = createBodyBudget(64 * MAX_BODY_BYTES)
  readonly #usage = new Usage()

  constructor(parts: InboxParts) {
    this.#parts = parts
    parts.quotas.measure({
      'inbox-bytes': () => this.#usage.total,
      'inbox-messages': () =>
        [...this.#inboxes.values()].reduce((size, { items }) => Math.max(size, items.length), 0),
    })
  }

  /** What a box has received, first come first. `evicted` counts what had to go from any box of the account. */
  list(key: string, name: string) {
    const { items, evicted } = this.#inboxOf(key)
    return { name, items: items.filter((kept) => kept.name === name).map(({ item }) => item), evicted }
  }

  /** The names of the boxes of an account that have messages, and how many each has. */
  countByName(key: string): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { name } of this.#inboxOf(key).items) counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts
  }

  /** `POST /inbox/:name`: gives a challenge back, remembers anything else. */
  async receive(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const { signatureOf, maxBytes, quotas } = this.#parts
    // What is signed are the bytes as they came.
    const chunks: Uint8Array[] = []
    if (signatureOf !== undefined) request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    const { body, bytes, release } = await readBody(request, MAX_BODY_BYTES, this.#budget)
    release?.()
    if (body.kind !== 'json') return sendReply(response, refusals[body.kind] ?? notJson)
    const challenge = textAt(body.value, ['challenge'])
    if (challenge !== undefined) return sendReply(response, { status: 200, body: { challenge } })
    // It would empty every box, and be evicted itself.
    if (HEAD_BYTES + bytes > maxBytes) {
      quotas.refuse('inbox-bytes')
      return sendReply(response, tooLargeForBoxes(bytes, maxBytes))
    }
    const { headers } = request
    await this.#receiveMessage({ headers, name, body: body.value, bytes, chunks })
    sendReply(response, { status: 200, body: {} })
  }

  /** Keeps a message that this or another replica has received. */
  keep(key: string, message: InboxNote): void {
    const { max, maxBytes, quotas, onKept } = this.#parts
    const inbox = this.#inboxOf(key)
    this.#inboxes.set(key, inbox)
    inbox.items.push(message)
    this.#usage.add(key, HEAD_BYTES + message.bytes)
    if (inbox.items.length > max) {
      quotas.hit('inbox-messages')
      this.#evictOldest(key)
    }
    if (this.#usage.total > maxBytes) {
      quotas.hit('inbox-bytes')
      while (this.#usage.total > maxBytes) this.#evictOldest(this.#usage.largest() ?? key)
    }
    onKept(key, message.name)
  }

  forget(key: string): void {
    this.#inboxes.delete(key)
    this.#usage.set(key, 0)
  }

  #inboxOf(key: string): AccountInbox {
    return this.#inboxes.get(key) ?? { items: [], evicted: 0 }
  }

  #evictOldest(key: string): void {
    const inbox = this.#inboxOf(key)
    const evicted = inbox.items.shift()
    if (evicted === undefined) return
    inbox.evicted += 1
    this.#usage.add(key, -HEAD_BYTES - evicted.bytes)
  }

  async #receiveMessage({ headers, name, body, bytes, chunks }: IncomingNote): Promise<void> {
    const { store, isKnownKey, signatureOf } = this.#parts
    const given = keyOf(headers.authorization)
    const deliveryId = String(headers[DELIVERY_ID_HEADER.toLowerCase()] ?? '') || null
    const named = given !== undefined && isKnownKey(given) ? given : undefined
    const isOwnerWanted = named === undefined || signatureOf !== undefined
    const owner = isOwnerWanted ? await this.#ownerOf(deliveryId, body) : undefined
    const key = named ?? owner?.key ?? DEFAULT_KEY
    const receivedAt = await store.read(key, (_, now) => now)
    const signature = owner?.family === undefined ? undefined : signatureOf?.(owner.family)
    const id = deliveryId ?? ''
    const verdict = signature && verifySignature(signature, headers, { id, body: chunks })
    const item: InboxItem = {
      receivedAt,
      deliveryId,
      headers: keptHeaders(headers, signature),
      body,
      ...(verdict === undefined ? {} : { signature: verdict }),
    }
    const message = { name, item, bytes }
    await store.note(key, () => textOfNote({ inbox: message }))
    this.keep(key, message)
  }

  async #ownerOf(deliveryId: string | null, body: unknown): Promise<Owner | undefined> {
    const { store, taskIdPaths } = this.#parts
    // A profile can have renamed the field of the id, or moved it.
    const named = taskIdPaths.map((path) => textAt(body, path.split('.'))).find((text) => text !== undefined)
    const id = named ?? deliveryId?.replace(/-\d+$/, '')
    if (id === undefined) return undefined
    for (const key of await store.keys()) {
      const owner = await store.read(key, ({ tasks, callbacks }): Owner | undefined =>
        tasks.has(id) || callbacks.queues.has(id) ? { key, family: tasks.get(id)?.family } : undefined,
      )
      if (owner !== undefined) return owner
    }
    return undefined
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
