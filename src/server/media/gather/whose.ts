import { isLoopbackHost } from '../../loopback.js'

/** Where a call reached the emulator. */
export interface OwnAddress {
  /** What its absolute URLs begin with for the caller; may have a path. */
  readonly origin: string
  /** The port that it listens on; undefined where it is not known. */
  readonly port: number | undefined
}

/** `near`: on loopback, at a port that is not known to be ours: another program's, or ours under another number. */
export type UrlOwner = 'ours' | 'near' | 'elsewhere'

export interface ResolvedOrigin {
  readonly whose: UrlOwner
  /** Without what the public URL puts before the paths of the emulator. */
  readonly path: string
}

/** Whether a URL of a body leads to the emulator itself, and to which of its paths. */
export const resolveOrigin = (url: URL, { origin, port }: OwnAddress): ResolvedOrigin => {
  const { pathname: path, hostname } = url
  const base = URL.canParse(origin) ? new URL(origin) : undefined
  const before = base?.pathname.replace(/\/+$/, '') ?? ''
  if (url.origin === base?.origin && path.startsWith(`${before}/`))
    return { whose: 'ours', path: path.slice(before.length) }
  if (!isLoopbackHost(hostname)) return { whose: 'elsewhere', path }
  const ports = [port, base !== undefined && isLoopbackHost(base.hostname) ? portOf(base) : undefined]
  return { whose: ports.includes(portOf(url)) ? 'ours' : 'near', path }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
