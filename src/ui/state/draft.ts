import { fillPath, pathMatcher } from '../../emulator/surface/paths.js'
import type { ExplainedRequest, OperationRecord } from '../../generated/control-api.js'
import { bodyText, headersOf } from './copy-as.js'
import { withoutEmpty } from './router.js'

export type Values = Readonly<Record<string, string>>

/** A call that is being written. */
export interface Draft {
  readonly params: Values
  readonly query: Values
  /** Headers as lines, `Name: value`, or undefined where those of `defaultHeaders`. */
  readonly headers?: string | undefined
  /** JSON of the body; empty: none. */
  readonly text: string
  /** Fields of a form, with the name of a sample medium, or of a local file, in that of the file. */
  readonly form: Values
  /** The past request that it was made of, as text, or undefined where there is none. */
  readonly past?: string | undefined
}

/** Headers that a call has unless they are edited: the key of the account, and the type of a body. */
export const defaultHeaders = (draft: Draft, key: string, isForm: boolean): string => {
  const type = isForm || draft.text === '' ? [] : ['Content-Type: application/json']
  return [`Authorization: Bearer ${key}`, ...type].join('\n')
}

/** Names and values of lines of headers. A line without a colon is a header without a value. */
export const headerLines = (text: string): readonly (readonly [name: string, value: string])[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim()] as const
    })

// The fetch standard calls them forbidden: a script cannot set them.
const FORBIDDEN =
  /^(accept-(charset|encoding)|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/i

/** Names of headers that a browser does not let a page send. */
export const unsentHeaders = (text: string): string[] =>
  headerLines(text)
    .map(([name]) => name)
    .filter((name) => FORBIDDEN.test(name))

/** Path of a call with its query. */
export const targetOf = ({ path }: OperationRecord, { params, query }: Draft): string => {
  const search = new URLSearchParams(withoutEmpty(query)).toString()
  return `${fillPath(path, params)}${search === '' ? '' : `?${search}`}`
}

/**
 * Draft of a past request of an operation, with its headers as far as a page can send them.
 * @param key of the account, in place of the redacted one
 */
export const requestDraft = (request: ExplainedRequest, operation: OperationRecord, key: string): Draft => {
  const { fileField, path } = operation
  const { fields, files } = (request.body ?? {}) as { fields?: Values; files?: { name: string }[] }
  const lines = headersOf(request, `Bearer ${key}`).map(([name, value]) => `${name}: ${value}`)
  const draft = {
    params: pathMatcher(path)(request.path) ?? {},
    query: Object.fromEntries(new URLSearchParams(request.query)),
    text: operation.body === null ? '' : bodyText(request, 2),
    form: fileField === null ? {} : { ...fields, [fileField]: files?.[0]?.name ?? '' },
  }
  const sorted = (text: string) => text.toLowerCase().split('\n').sort().join('\n')
  const headers = lines.join('\n')
  const isDefault = sorted(headers) === sorted(defaultHeaders(draft, key, fileField !== null))
  return isDefault ? draft : { ...draft, headers }
}
