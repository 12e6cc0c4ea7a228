import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import {
  AddressRefused,
  callbackConnectPolicy,
  checkTarget,
  createLookup,
  hostMatcher,
  isPrivateAddress,
  mediaConnectPolicies,
} from '../../../src/emulator/net/address-guard.js'

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
    'fd00:ec2::254',
    'fd20:ce::254',
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

  test.each([
    '192.0.0.192',
    'fd20:ce::254',
    'ff02::1',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe%eth0',
  ])('%s is blocked, whatever leads to it, unless it is named itself', (address) => {
    expect(callbackConnectPolicy(['*'])('hooks.test', address)).toBe(false)
    expect(mediaConnectPolicies.all('media.test', address)).toBe(false)
    expect(callbackConnectPolicy([address.toUpperCase()])('hooks.test', address)).toBe(true)
  })

  // The last one is no Teredo address, of which the last groups would be 169.254.169.254.
  test.each(['203.0.113.7', '2001:db8::1', '2001:db8::5601:5601'])(
    'a name that is allowed may lead to %s',
    (address) => {
      expect(callbackConnectPolicy(['hooks.test'])('hooks.test', address)).toBe(true)
      expect(callbackConnectPolicy(['hooks.test'])('other.test', address)).toBe(false)
      expect(mediaConnectPolicies.all('media.test', address)).toBe(true)
    },
  )

  test('media of this machine alone are read locally, by either version', () => {
    const addresses = ['127.0.0.1', '::1', '10.0.0.1', 'fd00::1']
    expect(addresses.filter((address) => mediaConnectPolicies.local('', address))).toEqual([
      '127.0.0.1',
      '::1',
    ])
  })

  test('the refusal of an address has it once', () => {
    const check = () => checkTarget(new URL('http://203.0.113.7'), '203.0.113.7', () => false)
    expect(check).toThrow('and 203.0.113.7 is neither. Start with --callback-hosts 203.0.113.7 to allow it.')
  })

  test.each([
    ['hooks.test', 'hooks.test.'],
    ['hooks.test.', 'hooks.test'],
    ['*.test', 'hooks.test.'],
  ])('%s allows %s: a final dot only says that a name is whole', (pattern, hostname) =>
    expect(callbackConnectPolicy([pattern])(hostname, '203.0.113.7')).toBe(true),
  )

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
      lookup('hooks.test', { all }, (error, found, family) => {
        if (error === null) resolve(all ? found : { address: found, family })
        else reject(error)
      })
    })

  test('gives all addresses of a name that is allowed', async () =>
    expect(await lookedUp([far, near], true, true)).toEqual([far, near]))

  test('gives only the near addresses of a name that is not', async () =>
    expect(await lookedUp([far, near], false, true)).toEqual([near]))

  test('gives the first that may be connected to where one is asked for', async () =>
    expect(await lookedUp([far, near], false, false)).toEqual(near))

  test('refuses a name without a near address', () =>
    expect(lookedUp([far], false, true)).rejects.toThrow(AddressRefused))

  test('names the name and its addresses in the refusal', () =>
    expect(lookedUp([far], false, true)).rejects.toThrow('hooks.test (203.0.113.7) is neither'))

  test('names what has to be allowed: the name, or an address that a pattern of names does not allow', async () => {
    await expect(lookedUp([far], false, true)).rejects.toThrow('--callback-hosts hooks.test to allow')
    const metadata: LookupAddress = { address: '169.254.169.254', family: 4 }
    const refused = lookedUp([far, metadata], false, true)
    await expect(refused).rejects.toThrow(
      'none that is reserved, and hooks.test (203.0.113.7, 169.254.169.254) is one. Start with --callback-hosts 169.254.169.254 to allow',
    )
  })
})
