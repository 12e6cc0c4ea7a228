import type { LookupAddress } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { AddressRefused, type ConnectPolicy } from './address.js'

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export const resolveBySystem: Resolve = (hostname) => lookUp(hostname, { all: true })

/**
 * Looks up names for connections, and gives only addresses that may be connected to. It is the address that is
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
  throw new AddressRefused(
    hostname,
    addresses.map(({ address }) => address),
  )
}

/** Connections to an address that is written as one are made without a look-up, so it is checked here. */
export const checkLiteralAddress = (
  hostname: string,
  mayConnect: ConnectPolicy,
): AddressRefused | undefined => {
  const isFine = isIP(hostname) === 0 || mayConnect(hostname, hostname)
  return isFine ? undefined : new AddressRefused(hostname, [hostname])
}
