import type { Settings } from '../settings.js'
import { SECOND } from '../time/duration.js'
import type { Instant } from '../time/timeline.js'
import { isKnownKey } from './terms.js'

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
