import type { Request, RequestHandler, Response } from 'express'
import { DEFAULT_KEY } from '../../core/account/account.js'
import { keyOf } from '../../core/account/credentials.js'
import { readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import { readBody } from '../http/read-body.js'
import type { Store } from '../store/store.js'
import { DELIVERY_ID_HEADER } from './message.js'

/** A message that the inbox received. */
export interface InboxItem {
  /** On the account's clock. */
  readonly receivedAt: Instant
  /** Null for a message that did not come from the emulator. */
  readonly deliveryId: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The built-in callback receiver: any number of named boxes for each account (defaults Z11). */
export interface Inbox {
  /** What a box has received, first come first. `evicted` counts what had to go from any box of the account. */
  list(key: string, name: string): { name: string; items: InboxItem[]; evicted: number }
  /** `POST /inbox/:name`: gives a challenge back, remembers anything else. */
  readonly receive: RequestHandler
  /** `GET /inbox/:name`: what it has received, with times in ISO form. */
  readonly show: RequestHandler
  forget(key: string): void
}

export interface InboxParts {
  readonly store: Store
  readonly wall: () => number
  /** Messages kept per account. */
  readonly most: number
  /** Told of the account that a message was kept for; left out where nobody waits. */
  readonly onKept?: (key: string) => void
}

const MOST_BODY_BYTES = 2 ** 20
const KEPT_HEADERS = ['content-type', 'user-agent', DELIVERY_ID_HEADER.toLowerCase()]

export const createInbox = ({ store, wall, most, onKept }: InboxParts): Inbox => {
  const boxes = new Map<string, { items: { name: string; item: InboxItem }[]; evicted: number }>()

  const remember = (key: string, name: string, item: InboxItem) => {
    const box = boxes.get(key) ?? { items: [], evicted: 0 }
    boxes.set(key, box)
    box.items.push({ name, item })
    if (box.items.length > most) {
      box.items.shift()
      box.evicted += 1
    }
    onKept?.(key)
  }

  /** The account whose task a message reports, or the default one. */
  const ownerOf = async (body: unknown): Promise<string> => {
    const id = taskIdIn(body)
    if (id === undefined) return DEFAULT_KEY
    for (const key of await store.keys())
      if (await store.run(key, ({ tasks, callbacks }) => tasks.has(id) || callbacks.correspondences.has(id)))
        return key
    return DEFAULT_KEY
  }

  const keep = async (request: Request, name: string, body: unknown): Promise<void> => {
    const key = keyOf(request.headers.authorization) ?? (await ownerOf(body))
    const receivedAt = await store.run(key, (account) => readClock(account.clock, wall()))
    const deliveryId = request.get(DELIVERY_ID_HEADER) ?? null
    remember(key, name, { receivedAt, deliveryId, headers: keptHeaders(request), body })
  }

  const list: Inbox['list'] = (key, name) => {
    const { items, evicted } = boxes.get(key) ?? { items: [], evicted: 0 }
    return { name, items: items.filter((kept) => kept.name === name).map(({ item }) => item), evicted }
  }

  return {
    list,
    receive: async (request, response) => {
      const { body } = await readBody(request, MOST_BODY_BYTES)
      if (body.kind !== 'json') return refuse(response, body.kind === 'too-large')
      const challenge = challengeIn(body.value)
      if (challenge === undefined) await keep(request, nameOf(request), body.value)
      response.json(challenge === undefined ? {} : { challenge })
    },
    show: (request, response) => {
      const { items, ...box } = list(keyOf(request.headers.authorization) ?? DEFAULT_KEY, nameOf(request))
      response.json({ ...box, items: items.map(shownItem) })
    },
    forget: (key) => void boxes.delete(key),
  }
}

const nameOf = (request: Request): string => String(request.params.name)

const refuse = (response: Response, isTooLarge: boolean): void => {
  const message = isTooLarge ? 'The inbox takes messages of up to 1 MiB.' : 'The inbox takes JSON messages.'
  response.status(isTooLarge ? 413 : 400).json({
    error: { code: 'bad-message', message, hint: 'Post what a callback of the service would post.' },
  })
}

const keptHeaders = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )

export const shownItem = ({ receivedAt, ...item }: InboxItem) => ({
  receivedAt: new Date(receivedAt).toISOString(),
  ...item,
})

/** The task that a query response is about: at `id` in B, at `task.id` in F. */
const taskIdIn = (body: unknown): string | undefined => {
  const { id, task } = (body ?? {}) as { id?: unknown; task?: { id?: unknown } }
  const found = task?.id ?? id
  return typeof found === 'string' ? found : undefined
}

const challengeIn = (body: unknown): string | undefined => {
  const challenge = (body as { challenge?: unknown } | null)?.challenge
  return typeof challenge === 'string' ? challenge : undefined
}
