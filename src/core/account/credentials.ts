import { hash } from 'node:crypto'
import { SECOND } from '../schedule/duration.js'
import type { Instant } from '../schedule/timeline.js'
import type { Settings } from '../settings.js'
import { isKnownKey } from './account.js'

/** The key of an `Authorization` header in any of its spellings (gap X1); undefined where there is none (Z29). */
export const keyOf = (authorization: string | undefined): string | undefined => {
  const key = authorization
    ?.trim()
    .replace(/^bearer(\s+|$)/i, '')
    .trim()
  return key === '' ? undefined : key
}

/** Why a key does not open an account; undefined when it does. */
export const credentialProblem = (
  key: string | undefined,
  settings: Settings,
  now: Instant,
): string | undefined => {
  if (key === undefined) return 'No API key was provided: send the header Authorization: Bearer <API_KEY>'
  if (!isKnownKey(key, settings)) return 'The API key is invalid'
  if (hasExpired(key, now)) return 'The access token has expired'
  return undefined
}

const hasExpired = (key: string, now: Instant): boolean => {
  const expiry = expiryOfJwt(key)
  return expiry !== undefined && expiry * SECOND <= now
}

// Keys are opaque: only a token that is shaped like a JWT is looked into, and one that cannot be read is just a key.
/** The `exp` of a key that is shaped like a JWT, in Unix seconds; undefined for any other key. */
export const expiryOfJwt = (key: string): number | undefined => {
  const [, payload, signature, ...more] = key.split('.')
  if (payload === undefined || signature === undefined || more.length > 0) return undefined
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp?: unknown }
    return typeof exp === 'number' ? exp : undefined
  } catch {
    return undefined
  }
}

/**
 * Twelve hex digits that follow from the key and do not lead back to it. A key that ends in `~` and twelve hex digits
 * says them itself: it stands in for a key that is not known any more, as in a recording, and everything that follows
 * from the tag (ids, draws, signatures) follows as it did for that one.
 */
export const accountIdOf = (key: string): string => {
  const known = tags.get(key)
  if (known !== undefined) return known
  const tag = SAID.exec(key)?.[1] ?? hash('sha256', `account|${key}`, 'hex').slice(0, 12)
  if (tags.size >= MOST_TAGS) tags.clear()
  tags.set(key, tag)
  return tag
}

// Every call asks for the tags of the same few keys several times, and a digest is a good part of what a call costs.
const tags = new Map<string, string>()
const MOST_TAGS = 1_000

const SAID = /~([0-9a-f]{12})$/
