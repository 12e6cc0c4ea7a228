import { shapeOf } from '../../test/contract/error-shapes.js'
import { creates } from '../../test/hostile/asked.js'
import type { Received } from './lane.js'
import type { FuzzRequest } from './request.js'

/** What to think of an answer. */
export interface Verdict {
  /** 0 where none came. */
  readonly status: number
  readonly text: string
  /** What must not be; undefined where all is well. */
  readonly failure?: string | undefined
}

export const verdictOn = (asked: FuzzRequest, { answer, text, trouble }: Received): Verdict => {
  const status = answer?.statusCode ?? 0
  if (trouble?.startsWith('not sent') === true) return { status: 0, text: '' }
  if (trouble !== undefined) return { status: 0, text: '', failure: trouble }
  if (status >= 500) return { status, text, failure: `${status}: ${text.slice(0, 300)}` }
  return { status, text, failure: outOfShape(asked, status, text) }
}

/** What is wrong with the form of a refusal; undefined where nothing is. */
const outOfShape = ({ method, path }: FuzzRequest, status: number, text: string): string | undefined => {
  if (status < 400 || method === 'HEAD') return undefined
  const family = method === 'POST' ? creates.find((create) => create.path === path)?.family : undefined
  try {
    const body: unknown = JSON.parse(text)
    if (family === undefined || isWireRefusal(body)) return undefined
    const { success, error } = shapeOf(family).schema.safeParse(body)
    return success
      ? undefined
      : `${status} is not in the shape of ${family}: ${error.message} in ${text.slice(0, 300)}`
  } catch {
    return text.startsWith('<?xml') ? undefined : `${status} is no JSON: ${text.slice(0, 300)}`
  }
}

// What is wrong with the headers is said before it is known which family is asked.
const isWireRefusal = (body: unknown): boolean =>
  JSON.stringify(body).includes('"invalid_request_error"') || JSON.stringify(body).includes('"hint"')
