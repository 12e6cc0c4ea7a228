import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StatedRule } from '../contract.js'
import { SECOND } from '../schedule/duration.js'
import type { Instant } from '../schedule/timeline.js'

/** What a URL of a result is refused for. */
export const notExpired: StatedRule = {
  id: 'not-expired',
  says: 'The URL has not expired by the clock of its account.',
  place: 'docs/gaps.md#x9',
}

export const signature: StatedRule = {
  id: 'signature',
  says: 'The URL is as it was given out: path, Expires and Signature.',
  place: 'docs/gaps.md#x9',
}

export const taskExists: StatedRule = {
  id: 'task-exists',
  says: 'The task of the result is there.',
  place: 'docs/gaps.md#n3',
}

/** What a file is not sent for though it is there. */
export const range: StatedRule = {
  id: 'range',
  says: 'A Range is a part of the file.',
  place: 'docs/gaps.md#x9',
}

export const precondition: StatedRule = {
  id: 'precondition',
  says: 'The file is the one that If-Match names.',
  place: 'docs/gaps.md#x9',
}

/** For whatever is answered with a file. */
export const fileRules: readonly StatedRule[] = [range, precondition]

/** For downloads: those of the URL first, as they are looked at. */
export const resultRules: readonly StatedRule[] = [signature, notExpired, taskExists, ...fileRules]

/** Which result, and until when. A result is named by its account, its task and its place among the task's media. */
export interface ResultUrl {
  readonly accountTag: string
  readonly taskId: string
  readonly index: number
  readonly extension: string
  /** Unix seconds. */
  readonly expires: number
}

const ROOT = '/results'

/** The path and query of a result, with its expiry and a signature over both (gap X9). */
export const resultPathOf = (ticket: ResultUrl, secret: string): string =>
  `${placeOf(ticket)}?Expires=${ticket.expires}&Signature=${sign(ticket, secret)}`

const placeOf = ({ accountTag, taskId, index, extension }: ResultUrl): string =>
  `${ROOT}/${accountTag}/${taskId}/${index}.${extension}`

const sign = (ticket: ResultUrl, secret: string): string => {
  const text = `${placeOf(ticket)}?${ticket.expires}`
  const name = `${secret} ${text}`
  const known = signatures.get(name)
  if (known !== undefined) return known
  const signature = createHmac('sha256', secret).update(text).digest('hex').slice(0, 40)
  if (signatures.size >= MAX_SIGNATURES) signatures.clear()
  signatures.set(name, signature)
  return signature
}

// A client that polls reads the same addresses again and again, and a signature is the dearest part of such an answer.
const signatures = new Map<string, string>()
const MAX_SIGNATURES = 1_000

/**
 * The whole second that an expiry is written as. Cut off like every time on the wire, so that a URL ends as long after
 * the `updated_at` of its task as it lives, and never outlives its time.
 */
export const expiryOf = (at: Instant): number => Math.floor(at / SECOND)

// One way to write each: what is signed is what was written, and nothing that only means the same.
const PLACE = /^\/results\/([0-9a-f]{12})\/([\w-]{1,100})\/(0|[1-9]\d{0,2})\.(png|mp4)$/
const EXPIRES = /^[1-9]\d{0,11}$/

export interface ParsedResultUrl {
  readonly ticket: ResultUrl
  readonly isGenuine: boolean
}

/** What a path and query ask for; undefined where the path is no result's. */
export const parseResultUrl = (
  path: string,
  query: URLSearchParams,
  secret: string,
): ParsedResultUrl | undefined => {
  const match = PLACE.exec(path)
  if (match === null) return undefined
  const [, accountTag, taskId, index, extension] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
  ]
  const ticket = {
    accountTag,
    taskId,
    index: Number(index),
    extension,
    expires: Number(query.get('Expires')),
  }
  const isWell = EXPIRES.test(query.get('Expires') ?? '')
  return { ticket, isGenuine: isWell && isSame(query.get('Signature') ?? '', sign(ticket, secret)) }
}

// Compared by bytes: a letter that takes two would make two texts of one length unequally long.
const isSame = (given: string, right: string): boolean => {
  const [givenBytes, rightBytes] = [Buffer.from(given), Buffer.from(right)]
  return givenBytes.length === rightBytes.length && timingSafeEqual(givenBytes, rightBytes)
}

/** Whether a path is that of a result; its signature is not checked. */
export const isResultPath = (path: string): boolean => PLACE.test(path)

export const hasExpired = (ticket: ResultUrl, now: Instant): boolean => now >= ticket.expires * SECOND
