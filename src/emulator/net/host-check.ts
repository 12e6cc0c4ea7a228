import { URL } from 'node:url'
import type { Settings } from '../core/settings.js'
import { hostMatcher, withoutLastDot } from './address-guard.js'

/**
 * DNS rebinding guard: rejects requests whose Host header could be a domain that a stranger owns. A page can make its
 * own domain resolve to this machine; the browser then treats page and emulator as one origin, and only the Host header
 * still shows the page's domain. Accepted: names that cannot be registered, IP addresses (they are not resolved), and
 * requests without a Host (HTTP/1.0; browsers always send one).
 */
export const createHostCheck = ({
  host: listenHost,
  publicUrl,
  allowedHosts,
}: Pick<Settings, 'host' | 'publicUrl' | 'allowedHosts'>) => {
  const own = [listenHost, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]), ...allowedHosts]
  const isOwn = hostMatcher(own)
  /** Whether a request may name this host in its Host header; undefined is a request without one. */
  return (host: string | undefined): boolean => {
    if (host === undefined || LOOPBACK.test(host)) return true
    const name = hostnameOf(host)
    if (name === undefined) return false
    return isLocalName(name) || isOwn(name)
  }
}

// What nearly every request has; to parse a URL costs more than the rest of the check.
const LOOPBACK = /^(?:127\.0\.0\.1|localhost)(?::[1-5]?\d{1,4})?$/

/** Hint of the messages that refuse a host. */
export const allowHostHint = (host: string): string =>
  `If the name is yours, start with --allowed-hosts ${hostnameOf(host) ?? host} (setting allowedHosts) or --public-url.`

/** The name in a Host header, in small letters and without the port; undefined if the header is not a host and a port. */
const hostnameOf = (host: string): string | undefined => {
  const isPlain = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(host)
  if (!isPlain || !URL.canParse(`http://${host}`)) return undefined
  return withoutLastDot(new URL(`http://${host}`).hostname)
}

/**
 * IPv4 addresses, names without a dot (a compose service; an IPv6 address in brackets), and the domains that are reserved for
 * local use (RFC 6761, 6762). `svc` is no top-level domain: names of services in a cluster end so.
 */
const isLocalName = (name: string): boolean =>
  /^\d+\.\d+\.\d+\.\d+$/.test(name) ||
  !name.includes('.') ||
  /\.(localhost|local|internal|test|svc)$/.test(name)

/** Port of a URL, that of its protocol where it names none. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Loopback check: whether a host, as settings and URLs write it, is reachable from this machine alone. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost\.?|.*\.localhost\.?|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)

/** Host for the URLs of an emulator that listens on a host; for "all addresses", the one by which this machine reaches itself. */
export const urlHostOf = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
