import type { LookupAddress } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { AddressRefused, isNearby } from './address.js'

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export const resolveBySystem: Resolve = (hostname) => lookUp(hostname, { all: true })

/**
 * Looks up names for connections, and gives only addresses that may be connected to. It is the address that is
 * checked and not the name, since a public name can lead to any address and a local one to a public address.
 */
export const createLookup =
  (isAllowed: (hostname: string) => boolean, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname)
      .then((addresses) => permitted(hostname, addresses, isAllowed(hostname)))
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
  isAllowed: boolean,
): LookupAddress[] => {
  const near = addresses.filter(({ address }) => isAllowed || isNearby(address))
  if (near.length > 0) return near
  throw new AddressRefused(
    hostname,
    addresses.map(({ address }) => address),
  )
}

/** Connections to an address that is written as one are made without a look-up, so it is checked here. */
export const refusalOfLiteral = (
  hostname: string,
  isAllowed: (hostname: string) => boolean,
): AddressRefused | undefined => {
  const isFine = isIP(hostname) === 0 || isAllowed(hostname) || isNearby(hostname)
  return isFine ? undefined : new AddressRefused(hostname, [hostname])
}
