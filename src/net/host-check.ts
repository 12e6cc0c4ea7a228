import type { Settings } from '../core/settings.js'

/** Whether a request may name this host in its Host header; undefined is a request without one. */
export type HostCheck = (host: string | undefined) => boolean

/**
 * Guard against DNS rebinding: tells the Host headers of this emulator from names that a stranger could own. A page can
 * have its own name resolve to this machine and is then, to the browser, of one origin with the emulator; its requests
 * look like those of any program, but their Host is the page's name. Names that nobody can register are accepted, and
 * IP addresses, which are not resolved at all. Requests without a Host (HTTP/1.0) are accepted: browsers always send one.
 */
export const createHostCheck = ({
  host: listenHost,
  publicUrl,
  allowedHosts,
}: Pick<Settings, 'host' | 'publicUrl' | 'allowedHosts'>): HostCheck => {
  const own = [listenHost, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]), ...allowedHosts]
  const patterns = own.map((one) => one.toLowerCase())
  return (host) => {
    if (host === undefined) return true
    const name = hostnameOf(host)
    if (name === undefined) return false
    return isLocalName(name) || patterns.some((pattern) => matchesHost(name, pattern))
  }
}

/** What to do about a refused host, for the messages that refuse it. */
export const allowHostHint = (host: string): string =>
  `If the name is yours, start with --allowed-hosts ${hostnameOf(host) ?? host} (setting allowedHosts) or --public-url.`

/** The name in a Host header, in small letters and without the port; undefined if the header is not a host and a port. */
const hostnameOf = (host: string): string | undefined => {
  const isPlain = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.test(host)
  if (!isPlain || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/(?<=.)\.$/, '')
}

/** IP addresses, single labels (a compose service), and the domains that are reserved for local use (RFC 6761, 6762). */
const isLocalName = (name: string): boolean =>
  name.startsWith('[') ||
  /^\d+\.\d+\.\d+\.\d+$/.test(name) ||
  !name.includes('.') ||
  /\.(localhost|local|internal|test)$/.test(name)

/** `*` is any name, and `*.example.com` any name below that one. */
const matchesHost = (name: string, pattern: string): boolean =>
  pattern === '*' || name === pattern || (pattern.startsWith('*.') && name.endsWith(pattern.slice(1)))
