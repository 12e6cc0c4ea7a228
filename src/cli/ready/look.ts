const LEAST_PATIENCE_MS = 1_000

export interface Seen {
  readonly isReady: boolean
  /** The version when it is ready, otherwise why it is not. */
  readonly detail: string
}

/** Asks once whether an emulator answers at a URL. */
export const look = async (url: string, patienceMs: number): Promise<Seen> => {
  const signal = AbortSignal.timeout(Math.max(LEAST_PATIENCE_MS, patienceMs))
  try {
    return await judged(await fetch(`${url}/_backlot/health`, { signal }))
  } catch (error) {
    return { isReady: false, detail: signal.aborted ? 'it does not answer' : reasonOf(error) }
  }
}

const judged = async (response: Response): Promise<Seen> => {
  const body = (await response.json().catch(() => ({}))) as {
    version?: unknown
    error?: { code?: unknown }
  } | null
  if (response.ok && typeof body?.version === 'string')
    return { isReady: true, detail: `version ${body.version}` }
  // It says no more than that to those without its token, and that is enough.
  if (body?.error?.code === 'token-needed') return { isReady: true, detail: 'it asks for its token' }
  return { isReady: false, detail: `something else answers there, with status ${response.status}` }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up',
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
  return reasons[cause?.code ?? ''] ?? cause?.message ?? message
}
