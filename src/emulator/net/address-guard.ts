import type { LookupAddress } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** SSRF guard: whether a connection may be made to an address that a name has led to. A literal address is its own name. */
export type ConnectPolicy = (hostname: string, address: string) => boolean

/** @param subnets addresses, or subnets in CIDR notation */
const blockListOf = (subnets: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/')
    // `isIP` takes four milliseconds at its first call.
    const version = address.includes(':') ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, version)
    else list.addSubnet(address, Number(prefix), version)
  }
  return list
}

/** Address matcher: whether a connection comes from one of some addresses or subnets; `*` is every address. */
export const addressMatcher = (patterns: readonly string[]): ((address: string | undefined) => boolean) => {
  if (patterns.length === 0) return () => false
  if (patterns.includes('*')) return () => true
  const list = blockListOf(patterns)
  return (address = '') => isAmong(list, address) || isAmong(list, address.replace(/^::ffff:/i, ''))
}

const loopback = blockListOf(['127.0.0.0/8', '::1'])

// biome-ignore format: two rows
const privateAddresses = blockListOf([
  '127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16',
  '::1', 'fc00::/7',
])

// Metadata services, where cloud machines keep their secrets, and addresses that are no machine's own. Some of them lie
// among the private ones.
// biome-ignore format: a row for each kind and version
const blocked = blockListOf([
  '169.254.0.0/16', '100.100.100.200', '168.63.129.16', '192.0.0.192',
  'fe80::/10', 'fd20:ce::254', 'fd00:42::42', 'fd00:c1::a9fe:a9fe', 'fd00:ec2::/32',
  '0.0.0.0/8', '224.0.0.0/4', '255.255.255.255',
  'ff00::/8', '::',
  // Local-use NAT64 (RFC 8215): the length of its prefix, and so where the IPv4 address stands, is the network's own affair.
  '64:ff9b:1::/48',
])

const isAmong = (list: BlockList, address: string): boolean => {
  const bare = withoutZone(address)
  const version = isIP(bare)
  return version !== 0 && list.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}

const withoutZone = (address: string): string => address.split('%')[0] ?? ''

/** The IPv4 address that an IPv6 address embeds: mapped, compatible, translated, NAT64, 6to4 or Teredo, or undefined where it embeds none. */
const embeddedIPv4 = (address: string): string | undefined => {
  const groups = groupsOf(withoutZone(address))
  if (groups === undefined) return undefined
  const startsWith = (...start: number[]) => start.every((group, index) => groups[index] === group)
  const [, second = 0, third = 0, , , , seventh = 0, eighth = 0] = groups
  if (startsWith(0x2002)) return dotted(second, third)
  if (startsWith(0x2001, 0)) return dotted(seventh ^ 0xffff, eighth ^ 0xffff)
  const isEmbedded =
    startsWith(0x64, 0xff9b) ||
    startsWith(0, 0, 0, 0, 0, 0xffff) ||
    startsWith(0, 0, 0, 0, 0xffff, 0) ||
    startsWith(0, 0, 0, 0, 0, 0)
  return isEmbedded ? dotted(seventh, eighth) : undefined
}

const dotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`

/** The eight groups of an IPv6 address, or undefined where it is none. */
const groupsOf = (address: string): number[] | undefined => {
  if (isIP(address) !== 6) return undefined
  // The parser of URLs writes every spelling in groups, the dotted one included.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const first = numbers(head)
  const last = numbers(tail ?? '')
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** Private address: whether it is loopback or private, and not one at which machines are told secrets. */
export const isPrivateAddress = (address: string): boolean =>
  isAmong(privateAddresses, address) && !isBlockedAddress(address)

/** Blocked address: nothing is sent to it unless it is allowed itself. A pattern of names does not allow it. */
const isBlockedAddress = (address: string): boolean => {
  const embedded = embeddedIPv4(address)
  // The compatible forms of :: and ::1 are no IPv4 addresses.
  const isEmbeddedBlocked = embedded !== undefined && !embedded.startsWith('0.') && isAmong(blocked, embedded)
  return isAmong(blocked, address) || isEmbeddedBlocked
}

/** Host patterns: exact names, `*.test` for all names below one, `*` for all (gap Z2). */
export const hostMatcher = (patterns: readonly string[]): ((hostname: string) => boolean) => {
  const wanted = patterns.map(hostName)
  return (hostname) => wanted.some((pattern) => matches(hostName(hostname), pattern))
}

const hostName = (name: string): string => withoutLastDot(name.toLowerCase())

/** A host name without the dot that may end it, which says that the name is whole (RFC 1034, 3.1). */
export const withoutLastDot = (name: string): string => name.replace(/(?<=.)\.$/, '')

const matches = (hostname: string, pattern: string): boolean =>
  pattern === '*' || (pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern)

/** Connect policy of callbacks: loopback and private addresses, and the hosts that are named. */
export const callbackConnectPolicy = (patterns: readonly string[]): ConnectPolicy => {
  const isAllowed = hostMatcher(patterns)
  const named = patterns.map((pattern) => pattern.toLowerCase())
  return (hostname, address) =>
    isBlockedAddress(address)
      ? named.includes(address.toLowerCase())
      : isPrivateAddress(address) || isAllowed(hostname)
}

/** Connect policies of media that are fetched (gap Z1). */
export const mediaConnectPolicies: Readonly<Record<'none' | 'local' | 'all', ConnectPolicy>> = {
  none: () => false,
  local: (_, address) => isAmong(loopback, address),
  all: (_, address) => isIP(withoutZone(address)) !== 0 && !isBlockedAddress(address),
}

/** Error of a refused address; the message says which, and what is allowed. */
export class AddressRefused extends Error {
  constructor(
    readonly hostname: string,
    readonly addresses: readonly string[],
    message = callbackRefusal(hostname, addresses),
  ) {
    super(message)
  }
}

/** A host with where it led to. */
export const describeTarget = (hostname: string, addresses: readonly string[]): string =>
  addresses.includes(hostname) ? hostname : `${hostname} (${addresses.join(', ')})`

const callbackRefusal = (hostname: string, addresses: readonly string[]): string => {
  const where = describeTarget(hostname, addresses)
  const blockedOne = addresses.find(isBlockedAddress)
  return blockedOne === undefined
    ? `Callbacks go to loopback and private addresses only, and ${where} is neither. Start with --callback-hosts ${hostname} to allow it.`
    : `Callbacks go to no address of a cloud's metadata and to none that is reserved, and ${where} is one. Start with --callback-hosts ${blockedOne} to allow it; names and * do not.`
}

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Resolver of host names by the system, all addresses of each. */
export const resolveBySystem: Resolve = async (hostname) =>
  LOOPBACK_NAME.test(hostname) ? loopbackAddresses : lookUp(hostname, { all: true })

// Every name below localhost is loopback (RFC 6761, 6.3), and not every system knows it. `localhost` itself is for the system.
const LOOPBACK_NAME = /(\.localhost\.?|^localhost\.)$/i
const loopbackAddresses: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * DNS lookup for connections that gives only addresses that may be connected to. It is the address that is
 * checked and not the name, since a public name can lead to any address and a local one to a public address. What it
 * gives is what is connected to: no second look-up could lead elsewhere.
 */
export const createLookup =
  (mayConnect: ConnectPolicy, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname)
      .then((addresses) => permitted(hostname, addresses, mayConnect))
      .then(
        (addresses) => {
          const first = addresses[0] as LookupAddress
          if (options.all === true) callback(null, addresses)
          else callback(null, first.address, first.family)
        },
        (error) => callback(error, '', 0),
      )
  }

const permitted = (
  hostname: string,
  addresses: readonly LookupAddress[],
  mayConnect: ConnectPolicy,
): LookupAddress[] => {
  const allowed = addresses.filter(({ address }) => mayConnect(hostname, address))
  if (allowed.length > 0) return allowed
  const refused = addresses.map(({ address }) => address)
  throw new AddressRefused(hostname, refused)
}

// Blocked ports: the subset of the browsers' list (fetch.spec.whatwg.org, "port blocking") whose services would read an
// HTTP request as commands: mail, file transfer, terminals, name servers, chat, and line-based stores.
const BLOCKED_PORTS = [
  21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 109, 110, 111, 113, 119, 135, 137, 139, 143, 161, 179, 389, 427,
  465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995,
  2049, 3659, 4045, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 11211,
]

/**
 * Checks a URL before a connection is made: its port, and a host that is written as an address, which is not looked up.
 * @param address the host without the brackets of an IPv6 address
 * @throws AddressRefused
 */
export const checkTarget = ({ port, hostname }: URL, address: string, mayConnect: ConnectPolicy): void => {
  const refused = (reason: string) =>
    new AddressRefused(hostname, [hostname], `Nothing is sent to port ${port} of ${hostname}, ${reason}`)
  // Node's client takes port 0 for none, and would send to the port of the scheme.
  if (port === '0') throw refused('where no server can listen. Name the port on which it listens.')
  if (BLOCKED_PORTS.includes(Number(port)))
    throw refused('where another protocol than HTTP is spoken. Choose another port.')
  if (isIP(address) !== 0 && !mayConnect(address, address)) throw new AddressRefused(address, [address])
}
