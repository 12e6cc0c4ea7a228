import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { AddressRefused } from '../../../src/server/callbacks/address.js'
import { createLookup } from '../../../src/server/callbacks/lookup.js'

const far: LookupAddress = { address: '203.0.113.7', family: 4 }
const near: LookupAddress = { address: '10.0.0.7', family: 4 }

/** What a look-up of a name with these addresses gives to whoever connects. */
const lookedUp = (addresses: LookupAddress[], isAllowed: boolean, all: boolean): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const lookup = createLookup(
      (_, address) => isAllowed || address === near.address,
      async () => addresses,
    )
    lookup('hooks.test', { all }, (error, found) => (error === null ? resolve(found) : reject(error)))
  })

test('gives all addresses of a name that is allowed', async () =>
  expect(await lookedUp([far, near], true, true)).toEqual([far, near]))

test('gives only the near addresses of a name that is not', async () =>
  expect(await lookedUp([far, near], false, true)).toEqual([near]))

test('gives the first that may be connected to where one is asked for', async () =>
  expect(await lookedUp([far, near], false, false)).toBe('10.0.0.7'))

test('refuses a name without a near address', () =>
  expect(lookedUp([far], false, true)).rejects.toThrow(AddressRefused))

test('names the name and its addresses in the refusal', () =>
  expect(lookedUp([far], false, true)).rejects.toThrow('hooks.test (203.0.113.7) is neither'))
