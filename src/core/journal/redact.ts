import { tagOf } from '../account/account.js'
import { keyOf } from '../account/credentials.js'

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-backlot-token']

/** Headers without credentials: a key is shown as the tag of its account, which tells keys apart and opens nothing. */
export const redactedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.includes(name) ? redacted(value) : value,
    ]),
  )

const redacted = (value: string): string => {
  const key = keyOf(value)
  return key === undefined ? '(empty)' : `(account ${tagOf(key)})`
}
