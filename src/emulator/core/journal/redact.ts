import { accountIdOf, keyOf } from '../account/account-id.js'
import { attachedIn } from '../media/input.js'
import { percentDecoded } from '../model/path.js'

// `api_key`, `X-Auth-Token`, `refreshtoken`, `sessionId`, `privateKeyPem`, `x-api-key-old`, `token[]`; not `monkey`, `keyframes` or `token_type`.
// What ends other words too has to be a word of its own.
const SECRET_NAME =
  /((^|[^a-z])(auth|jwt|key|pass|pwd|session([_-]?id)?|sig)|(access|api|private|secret)key|authorization|cookie|credential|pass(word|wd|phrase)|(^|[^a-z])pass[_-](word|wd|phrase)|secret|signature|token)s?(\[[\s\S]*|[^a-z]+(new|old|pem))?[^a-z]*$/

/** Whether a name (of a header, a field, a query parameter) is that of a credential. */
export const isSecretName = (name: string): boolean =>
  MAY_BE_SECRET.test(name) && SECRET_NAME.test(inSmallWords(name)) && !OPEN_NAME.test(name)

// Cheap test first: every field of every body is asked about.
const MAY_BE_SECRET = /auth|cookie|credential|jwt|key|pass|pwd|secret|session|sig|token/i

/** Whether a field holds a credential: one with its name, and neither a switch nor a count (`max_tokens`). */
const isSecretField = (name: string, value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  typeof value !== 'boolean' &&
  !(typeof value === 'number' && COUNT_NAME.test(name)) &&
  isSecretName(name)

const COUNT_NAME = /tokens$/i

// It gives no access, and shows which calls a client considers to be the same.
const OPEN_NAME = /^(x-)?idempotency-key$/i

const inSmallWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

const LEFT_OUT = '(left out)'

/** Redacted headers: a key is replaced by the id of its account, which tells keys apart and gives no access. */
export const redactedHeaders = (
  headers: Readonly<Record<string, string>>,
  key = '',
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretName(name) ? redactedHeader(String(value)) : redactedText(String(value), key),
    ]),
  )

const redactedHeader = (value: string): string => {
  const key = keyOf(value)
  return key === undefined ? '(empty)' : `(account ${accountIdOf(key)})`
}

// Shorter keys are words: taking them out would take words out of prompts, and they keep no secret.
const MIN_KEY = 8

/**
 * A text without what looks like a credential: the account's own key, tokens, the user and the secrets in URLs, Base64.
 * @param key of the account whose text it is; empty where it has none
 * @param maxLength of what is read and shown of it
 */
export const redactedText = (text: string, key = '', maxLength = MAX_SCANNED): string => {
  if (text.length <= maxLength && !MAY_HIDE.test(text)) return withoutKey(text, key)
  const beginning = beginningAsSent(text).slice(0, maxLength)
  const length = lengthAsSent(text)
  const medium = MEDIUM.exec(beginning)?.[1]
  if (medium !== undefined) return `${redactedPatterns(medium, key)}… (${length - medium.length} characters)`
  const end = length > maxLength ? `… (${length} characters)` : ''
  return (redactedPatterns(beginning, key) + end).replace(CUT_RUN, '')
}

// What is said behind a text that was cut.
const CUT_END = /… \(\d+ characters\)$/
// The run before it was cut too, so that its own length is not known.
const CUT_RUN = /… \(\d+ characters\)(?=… \(\d+ characters\)$)/

/** Beginning of a text as it was sent: the Base64 of a large body was taken out of it. */
const beginningAsSent = (text: string): string => {
  const attached = attachedIn(text)
  return attached === undefined ? text : attached.head + (attached.beginning || ANY_BASE64)
}

/** Length of a text as it was sent, in code units or by `lengthOf`. */
export const lengthAsSent = (text: string, lengthOf = (text: string): number => text.length): number => {
  const attached = attachedIn(text)
  return attached === undefined ? lengthOf(text) : attached.head.length + attached.length
}

// It is not shown in any case.
const ANY_BASE64 = 'AAAA'

// What each of the patterns below begins with: most texts have none of it.
const MAY_HIDE = /:\/\/|base64,|bearer\s|basic\s|eyJ|[a-z0-9+/]{40}/i

/** Placeholder of a key that is removed. */
export const KEY_PLACEHOLDER = '(key)'

/** A text without the API key, however a URL escapes it. */
export const withoutKey = (text: string, key = ''): string => {
  if (key.length < MIN_KEY) return text
  return text.includes('%') && ESCAPED.test(key)
    ? text.replace(spellingsOf(key), KEY_PLACEHOLDER)
    : text.replaceAll(key, KEY_PLACEHOLDER)
}

// What a URL may have as `%2F`; clients differ in which of them they escape.
const ESCAPED = /[^\w\u0080-\uffff-]/

const spellingsOf = (key: string): RegExp =>
  new RegExp(
    key.replace(new RegExp(ESCAPED, 'g'), (sign) => `(?:\\${sign}|${percent(sign)})`),
    'gi',
  )

const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`

const redactedPatterns = (text: string, key: string): string =>
  withoutCredentials(text, key)
    .replace(DATA, (_, head: string, run: string) => `${head}… (${run.length} characters)`)
    .replace(BASE64_RUN, (run) => (isBase64(run) ? `… (${run.length} characters)` : run))

/** A text without what looks like a credential. Base64 stays: in a path, a long name looks like it. */
export const withoutCredentials = (text: string, key: string): string =>
  withoutTokens(withoutKey(text, key).replace(URLS, (url) => redactedUrl(url)))

/** A text without the credentials of a header and without tokens, those of other accounts too. */
export const withoutTokens = (text: string): string =>
  text.replace(BEARER, `$1${LEFT_OUT}`).replace(JWT, '(token)')

// Longer texts are cut before matching: only this much is shown, and a pattern over megabytes exhausts the stack.
const MAX_SCANNED = 8_192

const URLS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>\\]+/gi
// Result URLs stay whole: they only open a placeholder, and readers of the journal look for them.
const OWN_RESULT =
  /^https?:\/\/[^/?#@]*\/results\/[0-9a-f]{12}\/[^?#]*(?:\?Expires=-?\d+&Signature=(?:[0-9a-f]{40}|[\w%]{34,84})[^\w&=%]*)?$/i
const BEARER = /\b(bearer\s+|basic\s+)(?:[\w.~+/=-]{8,}|\(key\))/gi
// Bounded, so that a long text of beginnings is not read to its end at each of them.
const JWT = /\beyJ[\w-]{4,2000}\.[\w-]{4,8192}\.[\w-]*/g
// A text that is nothing but Base64, in one line or in many.
const MEDIUM = /^(data:[^,]{0,200};base64,)[A-Za-z0-9+/=\r\n]{4,}$/i
const DATA = /(data:[^,"\s]{0,200};base64,)([A-Za-z0-9+/=]{4,})/gi
const BASE64_RUN = /[A-Za-z0-9+/]{40,}={0,2}/g

/** So many letters without a space are no prompt. */
export const MIN_BARE = 256

// Base64 of anything but a row of zeros has all three; words, hashes, paths of URLs and texts that try a bound (`xxxx…`) have
// not, or have more slashes.
const isBase64 = (run: string): boolean =>
  [/[A-Z]/, /[a-z]/, /[0-9]/].every((kind) => kind.test(run)) &&
  (run.length >= MIN_BARE || run.split('/').length - 1 <= run.length / 16)

/** `depth`: in how many URLs it stands. */
const redactedUrl = (url: string, depth = 0): string => {
  if (OWN_RESULT.test(url)) return url
  const inner = (text: string) => redactedInner(text, depth + 1)
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  return (
    before.replace(USER, `$1${LEFT_OUT}@`) +
    (query === '' ? '' : `?${redactedPairs(query.slice(1), inner)}`) +
    (fragment.includes('=') ? `#${redactedPairs(fragment.slice(1), inner)}` : fragment)
  )
}

// Only the URLs in it: all other patterns are matched in the whole text.
const redactedInner = (text: string, depth: number): string => {
  if (!text.includes('://')) return text
  return depth > MAX_NESTED ? LEFT_OUT : text.replace(URLS, (url) => redactedUrl(url, depth))
}

// Bounded, so that a text of beginnings of URLs is not read once for each of them.
const MAX_NESTED = 2

// Of every URL in it: one can follow another without a space, or stand in its path.
const USER = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^/]*@/gi

/** Redacted query, without its `?`: values under the name of a secret are removed. */
export const redactedQuery = (query: string, key = ''): string =>
  redactedPairs(query, (text) => redactedText(text, key))

const redactedPairs = (query: string, redact: (text: string) => string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      if (value.length === 0) return redact(pair)
      const isSecret = isSecretName(percentDecoded(name))
      return `${name}=${isSecret ? LEFT_OUT : redactedEncoded(value.join('='), redact)}`
    })
    .join('&')

/** A value of a query, in which the URL that it may be is percent-encoded. */
const redactedEncoded = (value: string, redact: (text: string) => string): string => {
  const plain = percentDecoded(value)
  if (plain === value || !plain.includes('://')) return redact(value)
  const shown = redact(plain)
  return shown === plain ? value : encodeURIComponent(shown)
}

/** Redacted body value: credentials in texts, values under the name of one and levels too deep are removed. */
export const redacted = (value: unknown, key = ''): unknown =>
  cut(value, {
    key,
    textOf: (text) => redactedText(text, key),
    maxItems: Number.POSITIVE_INFINITY,
    // What is deeper is not shown (shorten).
    depth: { max: 24, beyond: LEFT_OUT },
  })

const MAX_TEXT = 256

/** A copy in which long lists and long texts (Base64 media, above all) are cut, so that it can be kept and shown. */
export const shorten = (value: unknown): unknown =>
  cut(value, { textOf: (text) => shortText(text), left: { values: MAX_SHORTENED } })

// As many as a body may have. An object graph of the code under test, such as a response, has any number of paths.
const MAX_SHORTENED = 10_000

/** Shortened value without credentials. Texts are cut last: half a token would not be recognised. */
export const shortenRedacted = (value: unknown, key: string): unknown =>
  cut(value, { key, textOf: (text) => shortRedacted(text, key) })

/** Value without credentials and Base64, all other texts and lists whole. Texts of more than 64 KiB are cut. */
export const redactedWhole = (value: unknown, key: string): unknown =>
  cut(value, { key, textOf: (text) => wholeRedacted(text, key), maxItems: Number.POSITIVE_INFINITY })

/** Text of a body that was no JSON, without credentials and Base64; or a placeholder where it names a secret. */
export const redactedBodyText = (text: string, key: string): string =>
  namesSecret(text) ? LEFT_OUT : wholeRedacted(text, key)

/** Whether a text that is no JSON has a field or a parameter with the name of a credential. */
export const namesSecret = (text: string): boolean =>
  [...text.matchAll(/([\w-]{1,100})(?:\[\w{0,40}\]|%5B\w{0,40}%5D)?["']?\s*[:=]/gi)].some(([, name = '']) =>
    isSecretName(name),
  )

const shortRedacted = (text: string, key: string): string =>
  shortText(redactedText(text, key), lengthAsSent(text))

const wholeRedacted = (text: string, key: string): string =>
  lengthAsSent(text) > MAX_WHOLE ? shortRedacted(text, key) : redactedText(text, key, MAX_WHOLE)

const MAX_WHOLE = 64 * 1024

interface Cutting {
  readonly textOf: (text: string) => string
  /** Of the account: names are redacted, and credentials left out. Undefined where neither is. */
  readonly key?: string
  /** Of a list; an object may have twice as many fields. */
  readonly maxItems?: number
  /** How many more values are copied, or undefined where all are. */
  readonly left?: { values: number }
  /** How many levels are kept, and what stands for those below. */
  readonly depth?: { readonly max: number; readonly beyond: string }
}

const SHOWN_DEPTH = { max: 20, beyond: '… (deeper levels are not kept)' }

const cut = (value: unknown, cutting: Cutting, level = 0): unknown => {
  const { textOf, key, maxItems = 100, left, depth: { max, beyond } = SHOWN_DEPTH } = cutting
  if (left !== undefined && left.values-- <= 0) return '…'
  if (typeof value === 'string') return textOf(value)
  if (value === null || typeof value !== 'object') return value
  if (level > max) return beyond
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => cut(item, cutting, level + 1))
  const fields = Object.entries(value).slice(0, 2 * maxItems)
  return Object.fromEntries(
    fields.map(([field, inner]) => [
      key === undefined ? field : redactedText(field, key),
      key !== undefined && isSecretField(field, inner) ? LEFT_OUT : cut(inner, cutting, level + 1),
    ]),
  )
}

/** @param length that is said where the text is cut: that of the text before it was redacted */
const shortText = (text: string, length = text.length): string => {
  const media = /^data:[^,]{0,200};base64,/i.exec(text)?.[0]
  // What was cut when it was kept is shown as it is.
  if (media !== undefined && text.startsWith('…', media.length)) return text
  if (media !== undefined)
    return detachString(`${media}… (${attachedIn(text)?.length ?? text.length - media.length} characters)`)
  return text.replace(CUT_END, '').length > MAX_TEXT
    ? detachString(`${text.slice(0, MAX_TEXT)}… (${length} characters)`)
    : text
}

/**
 * Copy of a text in memory of its own. What is cut out of a text, or searched in it, is for V8 a window onto that text
 * and keeps all of it: sixty characters of a body of sixty megabytes would keep sixty megabytes.
 */
export const detachString = (text: string): string => JSON.parse(JSON.stringify(text))

/**
 * Maps every text inside a JSON value. Parts without a change are not copied. `name` is the field in which a text stands,
 * itself or in a list; below a field with the name of a credential it is that one.
 */
export const mapTexts = (
  value: unknown,
  change: (text: string, name: string) => string,
  name = '',
): unknown => {
  if (typeof value === 'string') return change(value, name)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change, name))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const isSecret = isSecretName(name)
  const entries = Object.entries(value).map(
    ([field, inner]) => [field, mapTexts(inner, change, isSecret ? name : field)] as const,
  )
  const isSame = entries.every(([field, inner]) => inner === (value as Record<string, unknown>)[field])
  return isSame ? value : Object.fromEntries(entries)
}
