import { EmulatorError } from '../../core/emulator-error.js'
import type { RefusalRecord, RequestRecord } from '../../handles/records/request.js'
import { expected, listed, type Matching, type Outcome } from './outcome.js'

/**
 * Whether a call was refused by a rule: by the one that made the answer, named by its id or the beginning of it:
 * `a-image.size-area`, `a-image.schema`.
 */
export function toBeExplainedBy(this: Matching, call: unknown, rule: string): Outcome {
  const { method, path, status, refusedBy } = callIn(call)
  const [first] = refusedBy
  return {
    pass: first?.rule === rule || first?.rule.startsWith(`${rule}.`) === true,
    message: () =>
      [
        expected(
          this.isNot,
          `${method} ${path}`,
          `be refused by ${rule}`,
          `and it was answered with ${status}`,
        ),
        listed('It was refused by:', refusedBy.map(refusalText(this)), 'No rule has refused it.'),
      ].join('\n\n'),
  }
}

const refusalText =
  ({ utils }: Matching) =>
  ({ rule, place, field, found, allowed, message }: RefusalRecord): string =>
    [
      `${rule} (${place})`,
      message === undefined ? '' : `: ${message}`,
      field === undefined ? '' : `; ${field} was ${utils.stringify(found)}`,
      allowed === undefined ? '' : `; allowed is ${allowed}`,
    ].join('')

const callIn = (value: unknown): RequestRecord => {
  if (Array.isArray((value as Partial<RequestRecord> | null | undefined)?.refusedBy))
    return value as RequestRecord
  throw new EmulatorError(`toBeExplainedBy is said of a call of the journal, found ${typeof value}.`, {
    code: 'wrong-subject',
    hint: "Write expect(await emulator.requests.get(response.headers.get('x-request-id'))).toBeExplainedBy(rule).",
  })
}
