import { expect, test } from 'vitest'
import { allowHostHint, createHostCheck, isLoopbackHost } from '../../src/net/host-check.js'

test('the name that an emulator listens on may stand in the Host header, and no other of its domain', () => {
  const isAllowed = createHostCheck({ host: 'Desk.mine.example', allowedHosts: [] })
  expect(isAllowed('desk.mine.example:4010')).toBe(true)
  expect(isAllowed('other.mine.example:4010')).toBe(false)
})

test('a Host header with a port that no machine has is refused', () => {
  const isAllowed = createHostCheck({ host: '127.0.0.1', allowedHosts: [] })
  expect(isAllowed('localhost:65535')).toBe(true)
  expect(isAllowed('localhost:65536')).toBe(false)
})

test('the hint of a refused host names it without its port, as the setting takes it', () => {
  expect(allowHostHint('API.mine.example:8080')).toContain('--allowed-hosts api.mine.example (')
})

test.each(['localhost', 'LOCALHOST', 'shop.localhost', '127.9.9.9', '::1', '[::1]'])(
  '%s is a host of this machine alone',
  (host) => expect(isLoopbackHost(host)).toBe(true),
)
