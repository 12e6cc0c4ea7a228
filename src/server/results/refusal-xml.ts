const words = {
  denied: { status: 403, code: 'AccessDenied', message: 'Request has expired.' },
  gone: { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' },
} as const

/** A refusal as object stores answer (defaults X9): status and an XML body. */
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
