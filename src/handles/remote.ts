import { EmulatorError } from '../core/emulator-error.js'
import type { ActionName, Given, Invoke, Result } from './invoke.js'
import { routes } from './routes.js'

export interface RemoteEmulator {
  /** `http://127.0.0.1:4010`, without a slash at its end. */
  readonly url: string
  /** What the emulator asks for as `X-Backlot-Token`; left out where it asks for nothing. */
  readonly token?: string | undefined
}

/** Does actions over the control API, for the account of a key. Errors are those that the emulator had. */
export const remoteInvoke =
  (emulator: RemoteEmulator, key: string): Invoke =>
  async <N extends ActionName>(name: N, input: Given<N>): Promise<Result<N>> => {
    const { method, url, body } = requestFor(emulator.url, name, input as Input)
    const response = await reach(emulator, url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(emulator.token === undefined ? {} : { 'x-backlot-token': emulator.token }),
      },
      ...(body === undefined ? {} : { body }),
    })
    const answer = await readAnswer(response, emulator.url)
    if (!response.ok) throw errorOf(answer, response, emulator.url)
    return answer as Result<N>
  }

type Input = Readonly<Record<string, unknown>>

const requestFor = (base: string, name: ActionName, input: Input) => {
  const [method = '', path = ''] = routes[name].split(' ')
  const named = new Set<string>()
  const filled = path.replace(/:(\w+)/g, (_, parameter: string) => {
    named.add(parameter)
    return encodeURIComponent(String(input[parameter]))
  })
  const rest = Object.entries(input).filter(([field, value]) => !named.has(field) && value !== undefined)
  const url = `${base}/_backlot${filled}`
  if (method !== 'GET') return { method, url, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(rest.map(([field, value]): [string, string] => [field, String(value)]))
  return { method, url: query.size === 0 ? url : `${url}?${query}`, body: undefined }
}

const reach = async (emulator: RemoteEmulator, url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init)
  } catch (cause) {
    const { code, message } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
    throw new EmulatorError(`No emulator answers at ${emulator.url}: ${code ?? message}.`, {
      code: 'unreachable',
      hint: 'Start one with `backlot start`, or name the URL at which it runs.',
      cause,
    })
  }
}

const readAnswer = async (response: Response, url: string): Promise<unknown> => {
  try {
    if (response.headers.get('content-type')?.startsWith('application/x-ndjson')) return await response.text()
    return await response.json()
  } catch (cause) {
    throw noEmulator(response, url, cause)
  }
}

interface ControlErrorBody {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly hint?: string
    readonly found?: unknown
  }
}

const errorOf = (answer: unknown, response: Response, url: string): EmulatorError => {
  const { code, message, hint, found } = (answer as ControlErrorBody).error ?? {}
  if (!code || message === undefined || hint === undefined) return noEmulator(response, url)
  return new EmulatorError(message, { code, found, ...(hint === '' ? {} : { hint }) })
}

const noEmulator = ({ status }: Response, url: string, cause?: unknown): EmulatorError =>
  new EmulatorError(
    `What answers at ${url} is no emulator: it sent ${status}, which is no answer of a control API.`,
    {
      code: 'not-an-emulator',
      hint: 'Name the URL that the emulator printed, without a path.',
      cause,
    },
  )
