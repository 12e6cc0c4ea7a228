import { readFile } from 'node:fs/promises'
import { bytesOfStandIn } from '../../../core/media/stand-in.js'
import { STAND_INS_PATH } from '../../../core/recording/emulator-origin.js'
import { FIXTURES_PATH, type Fixtures } from '../../fixtures/fixtures.js'
import type { ResolveResult } from '../../results/results.js'
import type { Studio } from '../studio/index.js'
import { type Fetched, isLoopback } from './fetch-bytes.js'

export interface OwnParts {
  readonly fixtures: Fixtures
  readonly resolve: ResolveResult
  readonly studio: Studio
}

const absent = (detail: string): Fetched => ({ reason: 'unreachable', detail })

/**
 * Reads the emulator's own URLs without going over the network: fixtures under any host, since they stand for public
 * URLs (defaults Z12), and results under the host that the call came to.
 */
export const createReadOwn = ({ fixtures, resolve, studio }: OwnParts) => {
  const readFixture = async (name: string): Promise<Fetched> => {
    const bytes = await fixtures.read(name)
    return bytes === undefined ? absent(`there is no fixture ${name}`) : { bytes }
  }

  const readResult = async (url: URL): Promise<Fetched> => {
    const resolved = await resolve(url.pathname, url.searchParams)
    if (resolved?.state !== 'there') return absent('the result has expired or does not exist')
    const file = await studio.open(resolved.spec)
    try {
      return { bytes: await readFile(file.path) }
    } finally {
      file.release()
    }
  }

  return (url: URL, origin: string): Promise<Fetched> | undefined => {
    const isOurs = url.origin === origin || isLoopback(url.hostname)
    if (url.pathname.startsWith(`${FIXTURES_PATH}/`))
      return readFixture(decoded(url.pathname.slice(FIXTURES_PATH.length + 1)))
    if (!isOurs) return undefined
    if (url.pathname.startsWith(`${STAND_INS_PATH}/`)) return readStandIn(url)
    return url.pathname.startsWith('/results/') ? readResult(url) : undefined
  }
}

// A name that cannot be decoded is that of no fixture.
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const readStandIn = async (url: URL): Promise<Fetched> => {
  const { readStandInUrl } = await import('../../../core/recording/stand-in-url.js')
  const behind = readStandInUrl(url)
  if (behind === undefined) return absent('the stand-in says nothing that can be understood')
  return 'standIn' in behind ? { bytes: bytesOfStandIn(behind.standIn) } : behind
}
