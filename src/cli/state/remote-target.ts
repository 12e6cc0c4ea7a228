import { EmulatorError } from '../../core/emulator-error.js'
import { type HttpAnswer, send } from '../../handles/http.js'
import type { RemoteEmulator } from '../../handles/remote.js'
import type { StateTarget, Written } from './state.js'

/** The state of an emulator that runs: of one account, or of all where none is named. */
export const remoteTarget = ({ url, token }: RemoteEmulator, key: string | undefined): StateTarget => {
  const ask = async (method: 'GET' | 'PUT', document?: object): Promise<object> => {
    const body = document === undefined ? undefined : JSON.stringify(document)
    const answer = await send({
      method,
      url: `${url}/_backlot/state${key === undefined ? '?all=true' : ''}`,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(token === undefined ? {} : { 'x-backlot-token': token }),
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      body,
    }).catch((cause) => {
      throw new EmulatorError(`No emulator answers at ${url}: ${cause.code ?? cause.message}.`, {
        code: 'unreachable',
        hint: 'Start one with `backlot start`, or name its URL with --url, or a file with --state.',
        cause,
      })
    })
    return understood(answer, url)
  }
  return { read: () => ask('GET'), write: (document) => ask('PUT', document) as Promise<Written> }
}

const understood = ({ status, text }: HttpAnswer, url: string): object => {
  const answer = parsed(text) as
    | { readonly error?: { code?: string; message?: string; hint?: string } }
    | undefined
  if (answer !== undefined && status === 200) return answer
  const { code, message, hint } = answer?.error ?? {}
  if (code !== undefined && message !== undefined)
    throw new EmulatorError(message, { code, ...(hint ? { hint } : {}) })
  throw new EmulatorError(`What answers at ${url} is no emulator: it sent ${status}.`, {
    code: 'not-an-emulator',
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
