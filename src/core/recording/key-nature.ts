import { z } from 'zod'
import { DEFAULT_KEY } from '../account/account.js'
import { expiryOfJwt } from '../account/credentials.js'
import { isKnownKey } from '../account/terms.js'
import type { Settings } from '../settings.js'

/** What a key is like, besides the account that it opens (gap X1). Nothing can be opened with it. */
export const keyKindSchema = z.strictObject({
  is: z.enum(['plain', 'default', 'invalid', 'no-balance', 'no-agreement', 'rate-limited', 'token']),
  expires: z.number().exactOptional().describe('of a token: its exp, in Unix seconds'),
})
export type KeyKind = z.output<typeof keyKindSchema>

const prefixes = ['no-balance', 'no-agreement', 'rate-limited'] as const

export const keyKindOf = (key: string, settings: Settings): KeyKind => {
  if (key === DEFAULT_KEY) return { is: 'default' }
  if (!isKnownKey(key, settings)) return { is: 'invalid' }
  const expires = expiryOfJwt(key)
  if (expires !== undefined) return { is: 'token', expires }
  return { is: prefixes.find((prefix) => key.startsWith(prefix)) ?? 'plain' }
}

/**
 * A key of that nature whose account has that tag: it behaves as the one that was recorded, and what follows from the
 * tag (ids, draws, signatures) follows as it did.
 */
export const replayKey = ({ is, expires }: KeyKind, tag: string): string => {
  if (is !== 'token') return `${is === 'plain' ? 'recorded' : is}-~${tag}`
  return `e30.${Buffer.from(JSON.stringify({ exp: expires })).toString('base64url')}.~${tag}`
}
