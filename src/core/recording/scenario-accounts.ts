/** A scenario document in which each account that a step names is named otherwise; anything else stays as it is. */
export const withAccounts = (document: unknown, name: (account: string) => string): unknown => {
  const { steps } = (document ?? {}) as { steps?: unknown }
  if (!Array.isArray(steps)) return document
  return { ...(document as object), steps: steps.map((step) => withStepAccounts(step, name)) }
}

const withStepAccounts = (step: unknown, name: (account: string) => string): unknown => {
  const { when } = (step ?? {}) as { when?: { account?: unknown } }
  const account = when?.account
  if (account === undefined) return step
  const named = Array.isArray(account) ? account.map((one) => name(String(one))) : name(String(account))
  return { ...(step as object), when: { ...when, account: named } }
}
