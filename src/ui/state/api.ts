import { actionRequest } from '../../emulator/surface/paths.js'
import type { ActionTypes } from '../../generated/action-types.js'
import { withoutEmpty } from './router.js'

export type ActionName = keyof ActionTypes
export type ActionInput<N extends ActionName> = ActionTypes[N]['input']
export type ActionOutput<N extends ActionName> = ActionTypes[N]['output']

/** Error of the control API, or of the way to it (`status` 0). `message` and `hint` are sentences. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint = '',
  ) {
    super(message)
  }
}

interface ApiParts {
  /** `http://127.0.0.1:4650`, without a slash at its end. */
  readonly origin: string
  readonly fetch: typeof fetch
  /** The control token; empty: none is known. */
  readonly token: () => string
}

/** Control API client: invokes actions by their names, for the account of a key. */
export interface Api {
  readonly origin: string
  /**
   * A request under `/_backlot` whose answer is read by the caller, without headers that are empty.
   * @throws ApiError for any status that is not 2xx
   */
  request(path: string, key?: string, init?: RequestInit): Promise<Response>
  /** @throws ApiError */
  invoke<N extends ActionName>(name: N, input: ActionInput<N>, key?: string): Promise<ActionOutput<N>>
}

/** Client of the emulator at an origin. */
export const createApi = ({ origin, fetch, token }: ApiParts): Api => {
  const request = async (path: string, key?: string, init: RequestInit = {}): Promise<Response> => {
    const headers = withoutEmpty({
      authorization: key && `Bearer ${key}`,
      'x-backlot-token': token(),
      ...(init.headers as Record<string, string> | undefined),
    })
    const response = await fetch(`${origin}/_backlot${path}`, { ...init, headers }).catch((cause) => {
      if (init.signal?.aborted) throw cause
      throw new ApiError(0, `No emulator answers at ${origin}.`, 'Start it again: backlot start.')
    })
    if (!response.ok) throw await errorOf(response)
    return response
  }
  return {
    origin,
    request,
    invoke: async <N extends ActionName>(
      name: N,
      input: ActionInput<N>,
      key?: string,
    ): Promise<ActionOutput<N>> => {
      const { path, ...sent } = actionRequest(name, input as Readonly<Record<string, unknown>>)
      const headers = { 'content-type': 'application/json' }
      const response = await request(path, key, sent.body === undefined ? sent : { ...sent, headers })
      const isJson = response.headers.get('content-type')?.includes('application/json')
      return (await (isJson ? response.json() : response.text())) as ActionOutput<N>
    },
  }
}

const errorOf = async (response: Response): Promise<ApiError> => {
  const answer = (await response.json().catch(() => null)) as { error?: { message?: string; hint?: string } }
  const text = `${new URL(response.url).pathname} was answered with ${response.status}.`
  return new ApiError(response.status, answer?.error?.message ?? text, answer?.error?.hint)
}
