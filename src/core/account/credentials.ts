import { type Instant, SECOND } from '../schedule/time.js'
import type { Settings } from '../settings.js'

/** Problem of a key that opens no account; undefined: it opens one. */
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

/**
 * The `exp` of a key that is shaped like a JWT, in Unix seconds; undefined for any other key. Keys are opaque: only such a
 * token is looked into, and one that cannot be read is just a key.
 */
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

/** Whether a key opens an account at all. */
export const isKnownKey = (key: string, settings: Settings): boolean => {
  if (key === 'invalid' || key.startsWith('invalid-')) return false
  if (settings.account.length === 0) return true
  return settings.account.some((account) => (typeof account === 'string' ? account : account.key) === key)
}
