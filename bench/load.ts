import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
}

const CONNECTIONS = 16
const SECONDS = 3

/** What came of a load. */
export interface Loaded {
  readonly requests: number
  readonly requestsPerSecond: number
}

/** Makes requests at 16 connections. @throws Error when an answer was not 200 */
export const loaded = async (
  { url, method = 'GET', body }: Load,
  seconds: number = SECONDS,
): Promise<Loaded> => {
  const { requests, non2xx, errors } = await autocannon({
    url,
    method,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`)
  return { requests: requests.total, requestsPerSecond: requests.average }
}

/** Requests a second at 16 connections. @throws Error when an answer was not 200 */
export const requestsPerSecond = async (load: Load): Promise<number> => (await loaded(load)).requestsPerSecond
