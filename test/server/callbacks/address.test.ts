import { expect, test } from 'vitest'
import { hostMatcher, isPrivateAddress } from '../../../src/server/callbacks/address.js'

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '::1',
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
