import { EmulatorError } from '../../core/emulator-error.js'

/** Bytes, or why there are none. */
export type Had = { readonly bytes: Uint8Array } | { readonly why: string }

/** The bytes of what a test has in hand: bytes, a URL, or a response. */
export const bytesOf = async (value: unknown): Promise<Had> => {
  if (ArrayBuffer.isView(value))
    return { bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength) }
  // Frameworks have globals of their own, so that instanceof says nothing.
  if (Object.prototype.toString.call(value) === '[object ArrayBuffer]')
    return { bytes: new Uint8Array(value as ArrayBuffer) }
  if (typeof value === 'string' || value instanceof URL) return fetched(String(value))
  if (typeof (value as Partial<Response> | null | undefined)?.arrayBuffer === 'function')
    return read(value as Response)
  throw new EmulatorError(
    `Expected bytes, a URL or a response, found ${value === null ? 'null' : typeof value}.`,
    {
      code: 'wrong-subject',
      hint: 'Give the URL of a result as the service has answered it, or what was read from it.',
    },
  )
}

const fetched = async (url: string): Promise<Had> => {
  if (!/^https?:/.test(url)) return { why: `${JSON.stringify(url.slice(0, 80))} is no URL` }
  try {
    return await read(await fetch(url))
  } catch (error) {
    return { why: `${url} cannot be fetched: ${(error as Error).message}` }
  }
}

const MOST_SHOWN = 200

const read = async (response: Response): Promise<Had> => {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.ok || response.status === undefined) return { bytes }
  const text = new TextDecoder().decode(bytes.subarray(0, MOST_SHOWN))
  return { why: `the answer was ${response.status}: ${text}` }
}
