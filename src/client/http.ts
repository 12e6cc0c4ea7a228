import { request as plain } from 'node:http'
import { request as secure } from 'node:https'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: no body. */
  readonly body?: string | undefined
}

export interface HttpAnswer {
  readonly status: number
  /** Empty where none was sent. */
  readonly contentType: string
  readonly text: string
}

/**
 * Sends a request with what Node itself has: tests put something else in the place of `fetch`, and some of their
 * environments have none. Rejects with the error of the connection.
 */
export const send = (asked: HttpRequest): Promise<HttpAnswer> =>
  attempt(asked).catch((error: ConnectionError) => {
    // A connection that was kept may have been ended by the other side just now.
    if (error.wasKept === true && error.code === 'ECONNRESET') return attempt(asked)
    throw error
  })

interface ConnectionError extends NodeJS.ErrnoException {
  wasKept?: boolean
}

const attempt = ({ method, url, headers, body }: HttpRequest): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? secure : plain)(url, { method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          text: Buffer.concat(parts).toString('utf8'),
        }),
      )
      response.on('error', reject)
    })
    request.on('error', (error) => reject(Object.assign(error, { wasKept: request.reusedSocket })))
    request.end(body)
  })
