import type { RemoteEmulator } from '../client/remote.js'
import { EmulatorError } from '../core/errors.js'

interface Asked {
  readonly method?: 'GET' | 'PUT'
  /** The account. Default: none in particular. */
  readonly key?: string | undefined
  readonly document?: object | undefined
}

/**
 * Calls the control API of a running emulator, for actions that the client does not offer.
 * @throws EmulatorError `unreachable`, `not-an-emulator`, or what the emulator refused with
 */
export const askEmulator = async (
  { url, token }: RemoteEmulator,
  path: string,
  { method = 'GET', key, document }: Asked = {},
): Promise<object> => {
  const response = await fetch(`${url}/_backlot${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(token === undefined ? {} : { 'x-backlot-token': token }),
    },
    ...(document === undefined ? {} : { body: JSON.stringify(document) }),
  }).catch((cause) => {
    throw unreachable(url, cause)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && typeof answer === 'object' && answer !== null) return answer
  const { error } = (answer ?? {}) as { error?: { code?: string; message?: string; hint?: string } }
  if (error?.code !== undefined && error.message !== undefined)
    throw new EmulatorError(error.message, { code: error.code, ...(error.hint ? { hint: error.hint } : {}) })
  throw notAnEmulator(url, response.status)
}

const unreachable = (
  url: string,
  cause: Error & { readonly cause?: NodeJS.ErrnoException },
): EmulatorError => {
  const reason = cause.cause?.code ?? cause.message
  return new EmulatorError(`No emulator answers at ${url}: ${reason}.`, {
    code: 'unreachable',
    hint: 'Start one with `backlot start`, or name its URL with --url.',
    cause,
  })
}

export const notAnEmulator = (url: string, status: number): EmulatorError =>
  new EmulatorError(`What answers at ${url} is no emulator of this version: it sent ${status}.`, {
    code: 'not-an-emulator',
  })
