import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import type { Unfit } from '../../../core/media/mention.js'

export type Fetched =
  | { readonly bytes: Uint8Array }
  | { readonly reason: Extract<Unfit, 'unreachable' | 'too-large'>; readonly detail: string }

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Downloads a medium, within a time and a size. Redirects are not followed: they could lead anywhere. */
export const createFetchBytes =
  (limits: { readonly timeoutMs: number; readonly maxBytes: number }) =>
  (url: URL): Promise<Fetched> =>
    new Promise((resolve) => {
      const unreachable = (detail: string) => resolve({ reason: 'unreachable', detail })
      const get = url.protocol === 'https:' ? getSecure : getPlain
      const request = get(
        url,
        { signal: AbortSignal.timeout(limits.timeoutMs), agent: false },
        (response) => {
          if (response.statusCode !== 200) {
            response.destroy()
            return unreachable(`${url.host} answered ${response.statusCode}`)
          }
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            chunks.push(chunk)
            if (size <= limits.maxBytes) return
            response.destroy()
            resolve({ reason: 'too-large', detail: `it is larger than ${limits.maxBytes} bytes` })
          })
          response.on('end', () => resolve({ bytes: Buffer.concat(chunks) }))
          response.on('error', (error) => unreachable(error.message))
          return undefined
        },
      )
      request.on('error', (error) => unreachable(`${url.host} cannot be reached (${error.message})`))
    })
