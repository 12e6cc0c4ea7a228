import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
}

const CONNECTIONS = 16
const SECONDS = 3

/** Requests a second at 16 connections. @throws Error when an answer was not 200 */
export const requestsPerSecond = async (
  { url, method = 'GET', body }: Load,
  seconds = SECONDS,
): Promise<number> => {
  const result = await autocannon({
    url,
    method,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}
