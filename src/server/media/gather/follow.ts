import { isLoopbackHost } from '../../loopback.js'
import type { FetchResult } from './fetch-bytes.js'

// A development server has one or two: from / to a folder, from one name of this machine to another.
const MOST_REDIRECTS = 3

/**
 * Reads a medium, through redirects where they lead from loopback to loopback, as those of development servers do. No
 * other is followed: a page of somebody else could make the emulator read what only this machine can reach.
 * @param read reads one URL by the rules for media, and says where it leads where it has moved
 */
export const followRedirects =
  (read: (url: URL) => Promise<FetchResult>): ((url: URL) => Promise<FetchResult>) =>
  async (first) => {
    let url = first
    for (let redirects = 0; ; redirects += 1) {
      const fetched = await read(url)
      const next = nextOf(url, fetched)
      if (next === undefined) return fetched
      const refusal = refusalOf(url, next, redirects)
      if (refusal !== undefined) return { reason: 'unreachable', detail: refusal }
      url = next
    }
  }

const nextOf = (url: URL, fetched: FetchResult): URL | undefined => {
  const movedTo = 'movedTo' in fetched ? fetched.movedTo : undefined
  return movedTo !== undefined && URL.canParse(movedTo, url.href) ? new URL(movedTo, url) : undefined
}

const refusalOf = (from: URL, to: URL, redirects: number): string | undefined => {
  if (!isLoopbackHost(from.hostname) || !isLoopbackHost(to.hostname))
    return `${from.host} redirects to ${to.host || to.protocol}, and redirects are followed from loopback to loopback alone`
  return redirects < MOST_REDIRECTS
    ? undefined
    : `${from.host} redirects once more after ${MOST_REDIRECTS} redirects`
}
