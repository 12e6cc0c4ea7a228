import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StatedRule } from './contract.js'
import type { MediaSpec } from './media/spec.js'
import type { Account } from './model/account.js'
import { mediaOf, type Task } from './model/task.js'
import { type Instant, lastOf, SECOND } from './schedule/time.js'

/** Rules of downloads, in the order in which they are checked; the last two are those of every answer that is a file. */
// biome-ignore format: one row a line
export const resultRules = {
  oneAuthorization: { id: 'one-authorization', says: 'The signed URL comes without an Authorization header, where the setting resultAuthorization is refuse.', place: 'docs/gaps.md#x14' },
  signature: { id: 'signature', says: 'The URL is as it was given out: path, Expires and Signature.', place: 'docs/gaps.md#x9' },
  notExpired: { id: 'not-expired', says: 'The URL has not expired by the clock of its account.', place: 'docs/gaps.md#x9' },
  taskExists: { id: 'task-exists', says: 'The task of the result is there.', place: 'docs/gaps.md#n3' },
  range: { id: 'range', says: 'A Range is a part of the file.', place: 'docs/gaps.md#x9' },
  precondition: { id: 'precondition', says: 'The file is the one that If-Match names.', place: 'docs/gaps.md#x9' },
} satisfies Readonly<Record<string, StatedRule>>

/** Which result, and until when. A result is named by its account, its task and its place among the task's media. */
interface ResultRef {
  readonly accountId: string
  readonly taskId: string
  readonly index: number
  readonly extension: string
  /** Unix seconds. */
  readonly expires: number
}

const ROOT = '/results'

/** The path and query of a result, with its expiry and a signature over both (gap X9). */
export const resultPathOf = (ref: ResultRef, secret: string): string =>
  `${resultPath(ref)}?Expires=${ref.expires}&Signature=${encodeURIComponent(sign(ref, secret))}`

const resultPath = ({ accountId, taskId, index, extension }: ResultRef): string =>
  `${ROOT}/${accountId}/${taskId}/${index}.${extension}`

const signedText = (ref: ResultRef): string => `${resultPath(ref)}?${ref.expires}`

/**
 * HMAC of path and expiry in Base64. Every one has a plus, a slash and an equals sign, so that no URL still fits that is encoded
 * twice or decoded once too often; they take the places of two letters, which are twelve bits of 160.
 */
const sign = (ref: ResultRef, secret: string): string => {
  const text = signedText(ref)
  const name = `${secret} ${text}`
  const known = signatures.get(name)
  if (known !== undefined) return known
  const signature = encoded(createHmac('sha256', secret).update(text).digest())
  if (signatures.size >= MAX_SIGNATURES) signatures.clear()
  signatures.set(name, signature)
  return signature
}

// A client that polls reads the same addresses again and again, and a signature is the dearest part of such an answer.
const signatures = new Map<string, string>()
const MAX_SIGNATURES = 1_000

const encoded = (digest: Buffer): string => {
  const letters = digest.subarray(0, SIGNATURE_BYTES).toString('base64')
  return `${letters.slice(0, 8)}+${letters.slice(9, 17)}/${letters.slice(18)}`
}

// Twenty bytes are 27 letters and one equals sign.
const SIGNATURE_BYTES = 20

/** The signature in hex that URLs of earlier versions have: those in recordings and in what clients kept. */
const formerSignature = (ref: ResultRef, secret: string): string =>
  createHmac('sha256', secret).update(signedText(ref)).digest('hex').slice(0, 40)

/** The whole second that an expiry is written as, cut off like every time on the wire. */
export const expiryOf = (at: Instant): number => Math.floor(at / SECOND)

/**
 * The instant at which a URL expires. Results live whole seconds, so that the part of a second at which the task succeeded,
 * which the URL does not have, belongs to the expiry too.
 */
const expiryInstant = ({ expires }: ResultRef, task: Task | undefined): Instant => {
  const succeededAt = task === undefined ? 0 : lastOf(task.timeline).at
  return expires * SECOND + (succeededAt - expiryOf(succeededAt) * SECOND)
}

// One way to write each: what is signed is what was written, and nothing that only means the same.
const RESULT_PATH = /^\/results\/([0-9a-f]{12})\/([\w-]{1,100})\/(0|[1-9]\d{0,2})\.(png|mp4)$/
// Clocks may begin before 1970.
const UNIX_SECONDS = /^(0|-?[1-9]\d{0,11})$/

/** A result URL, and whether its signature is right. */
export interface ParsedResultUrl {
  readonly ref: ResultRef
  readonly isGenuine: boolean
}

/** Result that a path and query name, or undefined where the path is no result's. */
export const parseResultUrl = (
  path: string,
  query: URLSearchParams,
  secret: string,
): ParsedResultUrl | undefined => {
  const [, accountId = '', taskId = '', index, extension = ''] = RESULT_PATH.exec(path) ?? []
  if (index === undefined) return undefined
  const expires = Number(query.get('Expires'))
  const ref = { accountId, taskId, index: Number(index), extension, expires }
  const hasExpiry = UNIX_SECONDS.test(query.get('Expires') ?? '')
  return { ref, isGenuine: hasExpiry && isSignatureOf(ref, secret, query.get('Signature') ?? '') }
}

/** The number of a result among those of its task, by its path; undefined where the path is no result's. */
export const resultIndexIn = (path: string): number | undefined => {
  const index = RESULT_PATH.exec(path)?.[3]
  return index === undefined ? undefined : Number(index)
}

/** Signs the query of a result URL with another secret. A query without the right signature stays as it is. */
const resignedQuery = (path: string, query: string, secret: string, otherSecret: string): string => {
  const parsed = parseResultUrl(path, new URLSearchParams(query), secret)
  if (parsed === undefined || !parsed.isGenuine) return query
  const signature = encodeURIComponent(sign(parsed.ref, otherSecret))
  return query.replace(/(?<=^|&)Signature=[^&]*/, `Signature=${signature}`)
}

/** The query of a result URL with its signature in Base64, where an earlier version wrote it in hex: both are of the same bytes. */
const reencodedQuery = (query: string): string =>
  query.replace(
    /(?<=^|&)Signature=([0-9a-f]{40})(?![\w%])/,
    (_, hex: string) => `Signature=${encodeURIComponent(encoded(Buffer.from(hex, 'hex')))}`,
  )

const FORMER = /^[0-9a-f]{40}$/

const isSignatureOf = (ref: ResultRef, secret: string, received: string): boolean =>
  isEqualSignature(received, FORMER.test(received) ? formerSignature(ref, secret) : sign(ref, secret))

// Compared by bytes: a letter that takes two would make two texts of one length unequally long.
const isEqualSignature = (received: string, right: string): boolean => {
  const receivedBytes = Buffer.from(received)
  const rightBytes = Buffer.from(right)
  return receivedBytes.length === rightBytes.length && timingSafeEqual(receivedBytes, rightBytes)
}

/** Whether a path is that of a result; its signature is not checked. */
const isResultPath = (path: string): boolean => RESULT_PATH.test(path)

const POSTER_PATH = /^(\/results\/[0-9a-f]{12}\/[\w-]{1,100}\/(?:0|[1-9]\d{0,2}))\/poster$/

/** Paths of the result whose poster a path is, or undefined where the path is no poster's. Which of the two it is, its signature tells. */
export const posterSubjects = (path: string): readonly string[] | undefined => {
  const [, subject] = POSTER_PATH.exec(path) ?? []
  return subject === undefined ? undefined : [`${subject}.mp4`, `${subject}.png`]
}

/**
 * Result that a URL leads to. `forged`: the signature is not that of its path and expiry; `expired`: the URL is no longer
 * valid; `gone`: its task was removed.
 */
export type ResolvedResult = { readonly taskId: string; readonly now: Instant } & (
  | { readonly state: 'there'; readonly spec: MediaSpec }
  | { readonly state: 'forged' | 'gone' }
  | { readonly state: 'expired'; readonly expiredAt: Instant }
)

/** Looks up the result of a path and query, at the clock of its account; undefined if the path is not a result's. */
export type ResultLookup = (path: string, query: URLSearchParams) => Promise<ResolvedResult | undefined>

/** Resolution of a result URL in its account. */
export const resolveResult = (
  account: Readonly<Account>,
  { ref, isGenuine }: ParsedResultUrl,
  now: Instant,
): ResolvedResult => {
  const about = { taskId: ref.taskId, now }
  if (!isGenuine) return { state: 'forged', ...about }
  const task = account.tasks.get(ref.taskId)
  const expiredAt = expiryInstant(ref, task)
  if (now >= expiredAt) return { state: 'expired', expiredAt, ...about }
  const spec = task === undefined ? undefined : mediaOf(lastOf(task.timeline).value)[ref.index]
  return spec === undefined ? { state: 'gone', ...about } : { state: 'there', spec, ...about }
}

/** URLs of results: whether a path is that of one, and its query signed with another secret or as signatures are written now. */
export const resultUrls = { isPath: isResultPath, resign: resignedQuery, reencode: reencodedQuery } as const
