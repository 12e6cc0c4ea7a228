import { mapTexts, redaction } from '../emulator/surface/journal.js'
import { resultUrls } from '../emulator/surface/registry.js'

/**
 * Host of the emulator in every recording, in place of its address (a reserved name, RFC 2606). A replay that sends this
 * host gets absolute URLs that begin like the recorded ones.
 */
export const EMULATOR_HOST = 'emulator.invalid'
export const EMULATOR_ORIGIN = `http://${EMULATOR_HOST}`

/** Placeholder of the account's key in a recorded state. */
export const ACCOUNT_PLACEHOLDER = '(account)'

/** Changes the query of a result URL, so that its signature is the one of a replay. */
export type Resign = (path: string, query: string) => string

/** Origin and key of the call to which a text belongs. */
interface Source {
  /** What absolute URLs of the emulator begin with in this call. */
  readonly origin: string
  /** Undefined where the call carried no key. */
  readonly key?: string | undefined
}

/**
 * Sanitizer of a call: removes from its texts what must not stand in a recording (keys, what may be a secret in a URL of another
 * host) and what would be another on every run (where the emulator listens).
 */
export interface Sanitizer {
  /** A value of a request: URLs keep their shape, so that two that differ still do. */
  request<T>(value: T): T
  /**
   * A query without its `?`. Values of a call that no operation knows can be anything. Unless `isOwn` is false, the emulator
   * was called, whose signatures stay.
   */
  query(query: string, isKnown: boolean, isOwn?: boolean): string
  /** A value of an answer, which may quote the request. */
  answer<T>(value: T): T
}

/** Makes the sanitizer of a call of a recording. */
export type SanitizerFor = (source: Source) => Sanitizer

/** Sanitizers of the calls of one recording. A secret has one number in all of them. */
export const createSanitizers = (resign: Resign = (_, query) => query): SanitizerFor => {
  const numbers = new Map<string, number>()
  const numbered = (secret: string): string => {
    const number = numbers.get(secret) ?? numbers.size + 1
    numbers.set(secret, number)
    return `secret-${number}`
  }
  return (source) => ({
    request: <T>(value: T): T =>
      mapTexts(value, (text, name) =>
        text !== '' && redaction.isSecretName(name)
          ? numbered(text)
          : cleanText(withSignatures(text, resign), source, (url) => withoutSecrets(url, numbered)),
      ) as T,
    query: (query, isKnown, isOwn = true) => {
      const isOpen = (name: string) =>
        isKnown && !SECRET.test(name) && (isOwn || !redaction.isSecretName(name))
      const clean = query.replace(PAIR, (pair, name: string, value: string) =>
        isOpen(name) ? pair : `${name}${numbered(value)}`,
      )
      return redaction.withoutKey(clean, source.key)
    },
    answer: <T>(value: T): T =>
      mapTexts(value, (text) => unquoted(cleanText(withSignatures(text, resign), source, withoutQuery))) as T,
  })
}

const withSignatures = (text: string, resign: Resign): string =>
  text.includes('/results/')
    ? text.replace(RESULT_URL, (_, path: string, query: string) => `${path}?${resign(path, query)}`)
    : text

// With the segments of a result, so that a text of many beginnings is not read to its end at each of them (ReDoS).
const RESULT_URL = /(\/results\/[0-9a-f]{12}\/[\w-]+\/[\w-]+\.(?:png|mp4))\?([^\s"'<>\\]+)/g

const PAIR = /((?:^|(?<=&))(?:[^=&]*=)?)([^&]+)/g
const SECRET = /token|key|secret|auth|pass|credential|jwt/i

/** A text without the key, and with its URLs as a recording has them. `hide` removes from those of others what may be a secret. */
const cleanText = (text: string, { origin, key }: Source, hide: (url: string) => string): string =>
  redaction.withoutKey(
    text.replace(URLS, (found) => {
      const url = fromHere(found.replace(USER, '$1').replace(INNER_USER, '$1'), origin)
      return isOwnResult(url) ? url : hide(url)
    }),
    key,
  )

/**
 * URLs in a text, with what a message has hidden of them already. Clients read `https:\\h`, `https:h` and `//h` as URLs too. One
 * ends where prose or JSON would end it: a `"` in a URL is no part of it.
 */
const URLS =
  /(?:(?<![a-z])(?:(?:https?|wss?|ftp):[\\/]*|[a-z][a-z0-9+.-]{0,20}:[\\/]{2})|[\\/]{2})(?:\(left out\)|[^\s"<>…])+/gi

/** Whether a text holds a URL, of which a recording may have removed a part. */
export const hasUrl = (text: string): boolean => text.search(URLS) >= 0

const USER = /^((?:[a-z][a-z0-9+.-]*:)?[\\/]*)[^\\/?#]*@/i
/** User of a URL that follows another one without a space, or stands in its path. */
const INNER_USER = /([a-z][a-z0-9+.-]{0,20}:[\\/]+)[^\\/?#]*@/gi

// The next character must not go on with a port or a name: http://localhost:80 does not begin http://localhost:8080.
const fromHere = (text: string, origin: string): string => {
  if (!text.includes(origin)) return text
  return text.replace(new RegExp(`${escaped(origin)}(?![\\w:-]|\\.\\w)`, 'g'), EMULATOR_ORIGIN)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Whether a URL is that of a result, which is kept: its signature follows from the seed, opens nothing beyond loopback, and a
 * replay fetches it. A result can stand under another host than that of the call (a second name of the emulator, a public URL
 * with `replay --url`), where only what has the form of its signature is one.
 */
const isOwnResult = (url: string): boolean => {
  const [, host, path = '', rest = ''] = /^https?:\/\/([^/?#]*)([^?#]*)(.*)$/is.exec(url) ?? []
  // A public URL may have a path of its own before that of the result.
  const begin = Math.max(0, path.lastIndexOf('/results/'))
  return resultUrls.isPath(path.slice(begin)) && (host === EMULATOR_HOST || SIGNED.test(rest))
}

// What can follow in a text is the end of a sentence, a bracket or a sign of Markdown.
const SIGNED = /^\?Expires=-?\d+&Signature=(?:[0-9a-f]{40}|[\w%]{34,84})[^\w&=%]*$/

const withoutSecrets = (url: string, numbered: (secret: string) => string): string =>
  url
    .replace(/([?&](?:[^=&#]*=)?)([^&#]+)/g, (_, name: string, value: string) => name + numbered(value))
    .replace(/#(.+)$/s, (_, fragment: string) => `#${numbered(fragment)}`)

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '?(left out)')

/** A text of an answer in which what it quotes of a request looks as in the answer to the recorded request. */
const unquoted = (text: string): string =>
  redaction
    .withoutTokens(text)
    .replace(OWN, EMULATOR_ORIGIN)
    .replace(BASE64, 'data:$1;base64,(left out)')
    .replace(CUT_RUN, '(left out)')
    // Drops the length of a run that was removed.
    .replace(/\(left out\)… \(\d+ characters\)/g, '(left out)…')

/** Origin of a URL that only emulators have, whatever its host, with the path of a public URL. */
const OWN = /https?:\/\/[^\s"<>\\?#…]{0,200}?(?=\/(?:results\/[0-9a-f]{12}|_backlot)\/)/gi
const BASE64 = /data:([^,"\s]{0,200});base64,[A-Za-z0-9+/=]{4,}/gi
// The beginning of a long text without spaces, as messages quote it.
const CUT_RUN = /[A-Za-z0-9+/]{48,}={0,2}(?=…)/g
