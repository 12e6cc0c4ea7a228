import type { ResolvedResult } from './results.js'

const words = {
  denied: { status: 403, code: 'AccessDenied', message: 'Request has expired.' },
  gone: { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' },
} as const

/** In which of the two ways a result is refused. */
export const refusalOf = (state: Exclude<ResolvedResult['state'], 'there'>): keyof typeof words =>
  state === 'gone' ? 'gone' : 'denied'

/** The status of the refusal; undefined where there is none. */
export const statusOf = ({ state }: ResolvedResult): number | undefined =>
  state === 'there' ? undefined : words[refusalOf(state)].status

/** A refusal as object stores answer (gap X9): status and an XML body. */
export const refusalXml = (
  state: keyof typeof words,
  requestId: string,
): { status: number; body: string } => {
  const { status, code, message } = words[state]
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${requestId}</RequestId></Error>
`,
  }
}
