import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { AddressRefused, createLookup, hostMatcher, isPrivateAddress } from '../../src/net/address-guard.js'

describe('address', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '::1',
    'fc00::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:10.1.2.3',
  ])('%s is loopback or private', (address) => expect(isPrivateAddress(address)).toBe(true))

  test.each([
    '8.8.8.8',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.254.169.254',
    '0.0.0.0',
    '::',
    '2001:db8::1',
    'fe80::1',
    '::ffff:8.8.8.8',
  ])('%s is neither', (address) => expect(isPrivateAddress(address)).toBe(false))

  test.each([
    ['hooks.example.test', 'hooks.example.test'],
    ['HOOKS.example.test', 'hooks.Example.test'],
    ['hooks.example.test', '*.example.test'],
    ['a.b.example.test', '*.example.test'],
    ['hooks.example.test', '*.test'],
    ['anything', '*'],
    ['203.0.113.7', '203.0.113.7'],
  ])('%s is allowed by %s', (hostname, pattern) => expect(hostMatcher([pattern])(hostname)).toBe(true))

  test.each([
    ['example.test', '*.example.test'],
    ['badexample.test', '*.example.test'],
    ['hooks.example.test.evil', 'hooks.example.test'],
    ['hooks.example.test', 'example.test'],
  ])('%s is not allowed by %s', (hostname, pattern) => expect(hostMatcher([pattern])(hostname)).toBe(false))

  test('without patterns no host is allowed by its name', () =>
    expect(hostMatcher([])('localhost')).toBe(false))
})

describe('lookup', () => {
  const far: LookupAddress = { address: '203.0.113.7', family: 4 }
  const near: LookupAddress = { address: '10.0.0.7', family: 4 }

  /** What the look-up of a name with these addresses gives to the connection. */
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

  test('names what has to be allowed: the name, or an address that a pattern of names does not allow', async () => {
    await expect(lookedUp([far], false, true)).rejects.toThrow('--callback-hosts hooks.test to allow')
    const metadata: LookupAddress = { address: '169.254.169.254', family: 4 }
    const refused = lookedUp([far, metadata], false, true)
    await expect(refused).rejects.toThrow('--callback-hosts 169.254.169.254 to allow')
  })
})
