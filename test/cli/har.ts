export interface HarCall {
  readonly method?: string
  readonly url: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly error?: string
  /** More fields of its entry, and of the answer in it. */
  readonly entry?: object
  readonly response?: object
}

/** A HAR file as browsers write it, with credentials in every place where they put them; calls are a second apart. */
export const har = (calls: readonly HarCall[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a browser', version: '1' },
      entries: calls.map(
        ({ method = 'GET', url, body, status, answer, headers = {}, error, ...more }, index) => ({
          startedDateTime: new Date(Date.UTC(2026, 4, 1) + index * 1_000).toISOString(),
          time: 12,
          request: {
            ...{ method, url, httpVersion: 'HTTP/2', cookies: [{ name: 'session', value: 'cookie-secret' }] },
            headers: [
              { name: 'Authorization', value: 'Bearer production-secret' },
              { name: 'Cookie', value: 'session=cookie-secret' },
            ],
            ...{ queryString: [], headersSize: -1, bodySize: -1 },
            ...(body === undefined
              ? {}
              : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
          },
          response: {
            ...{ status, statusText: '', httpVersion: 'HTTP/2', cookies: [], redirectURL: '' },
            headers: Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
              ([name, value]) => ({
                name,
                value,
              }),
            ),
            content: { size: 1, mimeType: 'application/json', text: contentOf(answer) },
            ...{ headersSize: -1, bodySize: -1 },
            ...(error === undefined ? {} : { _error: error }),
            ...more.response,
          },
          ...more.entry,
          ...{ cache: {}, timings: { send: 0, wait: 12, receive: 0 } },
        }),
      ),
    },
  })

const contentOf = (answer: unknown): string =>
  typeof answer === 'string' ? answer : answer === undefined ? '' : JSON.stringify(answer)
