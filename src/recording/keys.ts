import { z } from 'zod'
import { isKnownKey } from '../core/account/account.js'
import { expiryOfJwt } from '../core/account/credentials.js'
import { DEFAULT_KEY } from '../core/model/account.js'
import type { Settings } from '../core/settings.js'
import type { Placed } from './format.js'

/** What a key is like, besides the account that it opens (gap X1). Nothing can be opened with it. */
export const keyKindSchema = z.strictObject({
  is: z.enum(['plain', 'default', 'invalid', 'no-balance', 'no-agreement', 'rate-limited', 'token']),
  expires: z.number().exactOptional().describe('of a token: its exp, in Unix seconds'),
})
type KeyKind = z.output<typeof keyKindSchema>

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

/**
 * The key that plays each account of a recording, by the tag of the account. The account `default` plays itself where
 * nobody else uses it.
 */
export const replayKeys = (lines: readonly Placed[], isOwn: boolean): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>()
  for (const { line } of lines)
    if (line.kind === 'account')
      keys.set(
        line.account,
        line.key.is === 'default' && isOwn ? DEFAULT_KEY : replayKey(line.key, line.account),
      )
  return keys
}

/** A scenario document in which each account that a step names is named otherwise; anything else stays as it is. */
export const withAccounts = (document: unknown, name: (account: string) => string): unknown => {
  const { steps } = (document ?? {}) as { steps?: unknown }
  if (!Array.isArray(steps)) return document
  return { ...(document as object), steps: steps.map((step) => withStepAccounts(step, name)) }
}

const withStepAccounts = (step: unknown, name: (account: string) => string): unknown => {
  const { when } = (step ?? {}) as { when?: { account?: unknown } }
  const account = when?.account
  if (account === undefined) return step
  const named = Array.isArray(account) ? account.map((one) => name(String(one))) : name(String(account))
  return { ...(step as object), when: { ...when, account: named } }
}
