import { fieldsOf } from './ids.js'

/** What an operation can answer with by name, as it would answer. */
export interface ErrorCatalog {
  readonly errors: readonly string[]
  readonly raise: (error: string) => { readonly status: number; readonly body: unknown }
}

/** The error of an operation that a refusal is; undefined where its table has none that looks so. */
export const errorOfAnswer = (
  { errors, raise }: ErrorCatalog,
  status: number,
  body: unknown,
): string | undefined => {
  const seen = signature(body)
  if (seen === '') return undefined
  return errors.find((error) => {
    const reply = raise(error)
    return reply.status === status && signature(reply.body) === seen
  })
}

/** The error that a failed task says it ended with; undefined where the table has none that looks so. */
export const errorOfTask = ({ errors, raise }: ErrorCatalog, said: unknown): string | undefined => {
  const { code } = fieldsOf(said)
  if (typeof code !== 'string' && typeof code !== 'number') return undefined
  return errors.find((error) => {
    const { body } = raise(error)
    return error === code || codesIn(body).includes(String(code)) || numberIn(body) === String(code)
  })
}

/** What tells two errors apart, in every family's places for it; the words of a message do not. */
const signature = (body: unknown): string =>
  [...codesIn(body), numberIn(body) ?? ''].filter((one) => one !== '').join('|')

const codesIn = (body: unknown): string[] => {
  const { code, error } = fieldsOf(body)
  const inner = fieldsOf(error)
  return [code, inner.code, inner.type].flatMap((one) =>
    one === undefined || one === null ? [] : [String(one)],
  )
}

// F ends its messages with a number (defaults F).
const numberIn = (body: unknown): string | undefined => {
  const { message } = fieldsOf(fieldsOf(body).error)
  return typeof message === 'string' ? /\((\d{4})\)$/.exec(message)?.[1] : undefined
}
