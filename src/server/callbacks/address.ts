import { BlockList, isIP } from 'node:net'

const nearby = new BlockList()
nearby.addSubnet('127.0.0.0', 8)
nearby.addSubnet('10.0.0.0', 8)
nearby.addSubnet('172.16.0.0', 12)
nearby.addSubnet('192.168.0.0', 16)
nearby.addAddress('::1', 'ipv6')
nearby.addSubnet('fc00::', 7, 'ipv6')

/** Whether an address is loopback or private. Link-local ones are not: cloud machines keep their secrets there. */
export const isNearby = (address: string): boolean =>
  nearby.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Which hosts may be sent to whatever their address: exact names, `*.test` for all names below one, `*` for all (defaults Z2). */
export const hostMatcher = (patterns: readonly string[]): ((hostname: string) => boolean) => {
  const wanted = patterns.map((pattern) => pattern.toLowerCase())
  return (hostname) => wanted.some((pattern) => matches(hostname.toLowerCase(), pattern))
}

const matches = (hostname: string, pattern: string): boolean =>
  pattern === '*' || (pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern)

/** Callbacks do not go to an address; the message says which and how to allow it. */
export class AddressRefused extends Error {
  constructor(hostname: string, addresses: readonly string[]) {
    const where = addresses.includes(hostname) ? hostname : `${hostname} (${addresses.join(', ')})`
    super(
      `Callbacks go to loopback and private addresses only, and ${where} is neither. Start with --callback-hosts ${hostname} to allow it.`,
    )
  }
}
