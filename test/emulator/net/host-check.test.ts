import { expect, test } from 'vitest'
import {
  allowHostHint,
  createHostCheck,
  isLoopbackHost,
  portOf,
  urlHostOf,
} from '../../../src/emulator/net/host-check.js'

const isAllowedHere = createHostCheck({
  host: '0.0.0.0',
  publicUrl: 'https://api.mine.example/base',
  allowedHosts: ['*.ours.example', 'Hooks.theirs.example.'],
})

test.each([
  undefined,
  '192.168.7.9:4650',
  '[fd00::7]:4650',
  '[::ffff:10.1.2.3]',
  'backlot:4650',
  'localhost.',
  'localhost:',
  '127.0.0.1:',
  'backlot:',
  'api.mine.example:',
  'backlot.films.svc',
  'backlot.films.svc:4650',
  'backlot.films.svc.',
  'shop.localhost',
  'desk.local',
  'metadata.internal',
  'hooks.test:80',
  'API.mine.example',
  'api.mine.example.',
  'hooks.theirs.example.',
  'a.ours.example:443',
])('a request may name the host %s', (host) => expect(isAllowedHere(host)).toBe(true))

test.each([
  'mine.example',
  'evil.example:4650',
  'evil.example@localhost',
  'localhost/evil.example',
  'evil.nottest',
  'evil.example:',
  'evil.notsvc',
  'backlot.films.svc.evil.example',
  'svc.evil.example',
  'localhost:x',
  'localhost::',
  '10.1.2.3.evil.example',
  'shop.localhost.evil.example',
  '.',
  '',
])('a request may not name the host %j', (host) => expect(isAllowedHere(host)).toBe(false))

test.each([
  ['http://a.test', 80],
  ['https://a.test', 443],
  ['https://a.test:4650', 4650],
])('the port of %s is %i', (url, port) => expect(portOf(new URL(url))).toBe(port))

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fd00::7', '[fd00::7]'],
  ['desk.local', 'desk.local'],
])('an emulator that listens on %s has URLs of %s', (host, expected) =>
  expect(urlHostOf(host)).toBe(expected),
)

test('the name that an emulator listens on may stand in the Host header, and no other of its domain', () => {
  const isAllowed = createHostCheck({ host: 'Desk.mine.example', allowedHosts: [] })
  expect(isAllowed('desk.mine.example:4650')).toBe(true)
  expect(isAllowed('other.mine.example:4650')).toBe(false)
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

test.each(['localhost.evil.example', '127.0.0.1.evil.example', '128.0.0.1', '[::2]', 'notlocalhost'])(
  '%s is another host',
  (host) => expect(isLoopbackHost(host)).toBe(false),
)
