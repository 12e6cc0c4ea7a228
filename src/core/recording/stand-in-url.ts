import { z } from 'zod'
import type { UnusableReason } from '../media/mention.js'
import { type StandIn, standInSchema } from '../media/stand-in.js'
import { EMULATOR, STAND_INS_PATH } from './emulator-origin.js'

/** What stands behind a URL that cannot be fetched any more: a medium, or why there was none. */
export type Behind =
  | { readonly standIn: StandIn }
  | { readonly reason: Extract<UnusableReason, 'unreachable' | 'too-large'>; readonly detail: string }

const behindSchema: z.ZodType<Behind> = z.union([
  z.strictObject({ standIn: standInSchema }),
  z.strictObject({ reason: z.enum(['unreachable', 'too-large']), detail: z.string() }),
])

/** A URL of the emulator that leads to the same, under the name that the other URL has for people. */
export const standInUrl = (url: string, behind: Behind): string => {
  const { pathname, hostname } = new URL(url)
  const name = pathname.split('/').at(-1) || hostname
  return `${EMULATOR}${STAND_INS_PATH}/${name}?is=${Buffer.from(JSON.stringify(behind)).toString('base64url')}`
}

/** What stands behind such a URL; undefined where it says nothing that can be understood. */
export const readStandInUrl = (url: URL): Behind | undefined => {
  try {
    const said: unknown = JSON.parse(
      Buffer.from(url.searchParams.get('is') ?? '', 'base64url').toString('utf8'),
    )
    return behindSchema.safeParse(said).data
  } catch {
    return undefined
  }
}
