import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../../core/settings.js'
import { isLoopbackHost } from '../loopback.js'

/** The token that the control API will ask for, where nobody gave one and it needs one; undefined everywhere else. */
export const generateControlToken = ({ host, controlToken }: Settings): string | undefined =>
  // Beyond this machine anybody could advance clocks and read the journal.
  controlToken !== undefined || isLoopbackHost(host) ? undefined : randomBytes(18).toString('base64url')

/** In a time that says nothing about the right one, not even its length. */
export const tokensEqual = (given: string, right: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(right))

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
