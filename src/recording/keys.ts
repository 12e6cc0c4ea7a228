import { DEFAULT_KEY } from '../emulator/surface/records.js'
import type { KeyKind, NumberedLine } from '../traffic/format.js'

/** Replay key: a key of that kind whose account has that id, so that ids, random draws and signatures are the same. */
export const replayKey = ({ is, expires }: KeyKind, accountId: string): string => {
  if (is !== 'token') return `${is === 'plain' ? 'recorded' : is}-~${accountId}`
  return `e30.${Buffer.from(JSON.stringify({ exp: expires })).toString('base64url')}.~${accountId}`
}

/** Replay keys by account id. The account `default` keeps its key in an emulator that only this replay uses. */
export const replayKeys = (
  lines: readonly NumberedLine[],
  { isOwn }: { readonly isOwn: boolean },
): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>()
  for (const { line } of lines) {
    if (line.kind !== 'account') continue
    const { account, key } = line
    keys.set(account, key.is === 'default' && isOwn ? DEFAULT_KEY : replayKey(key, account))
  }
  return keys
}

/** Scenario document with the accounts that its steps name renamed; any other value stays as it is. */
export const renameAccounts = (document: unknown, rename: (account: string) => string): unknown => {
  const { steps } = (document ?? {}) as { steps?: unknown }
  if (!Array.isArray(steps)) return document
  return { ...(document as object), steps: steps.map((step) => renameStepAccounts(step, rename)) }
}

const renameStepAccounts = (step: unknown, rename: (account: string) => string): unknown => {
  const { when } = (step ?? {}) as { when?: { account?: unknown } }
  const account = when?.account
  if (account === undefined) return step
  const named = Array.isArray(account) ? account.map((name) => rename(String(name))) : rename(String(account))
  return { ...(step as object), when: { ...when, account: named } }
}
