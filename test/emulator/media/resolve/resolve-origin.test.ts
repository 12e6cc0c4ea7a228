import { expect, test } from 'vitest'
import { resolveOrigin, truncate } from '../../../../src/emulator/media/resolve/resolve-media.js'

type OwnAddress = Parameters<typeof resolveOrigin>[1]

const placed = (url: string, reached: OwnAddress) => {
  const { owner, path } = resolveOrigin(new URL(url), reached)
  return `${owner} ${path}`
}

const direct: OwnAddress = { origin: 'http://127.0.0.1:4650', port: 4650 }
const mapped: OwnAddress = { origin: 'http://localhost:8080', port: 4650 }
const named: OwnAddress = { origin: 'http://studio.test', port: 4650 }
const inFolder: OwnAddress = { origin: 'https://pub.test/base', port: 4650 }

test.each([
  ['where the call came to', 'http://127.0.0.1:4650/results/x', direct, 'own /results/x'],
  ['under another name of this machine', 'http://localhost:4650/results/x', direct, 'own /results/x'],
  ['at the next port', 'http://127.0.0.1:4651/results/x', direct, 'loopback /results/x'],
  ['on another host', 'http://studio.test:4650/results/x', direct, 'external /results/x'],
  ['at the port that it is mapped to', 'http://127.0.0.1:8080/results/x', mapped, 'own /results/x'],
  ['at the port behind a mapped one', 'http://127.0.0.1:4650/results/x', mapped, 'own /results/x'],
  ['at neither of them', 'http://127.0.0.1:80/results/x', mapped, 'loopback /results/x'],
  ['under a name', 'http://studio.test/results/x', named, 'own /results/x'],
  ['under a name, with the port that is implied', 'http://STUDIO.test:80/results/x', named, 'own /results/x'],
  ['at the port of a name, on this machine', 'http://127.0.0.1/results/x', named, 'loopback /results/x'],
  ['below the public URL', 'https://pub.test/base/results/x', inFolder, 'own /results/x'],
  ['beside the public URL', 'https://pub.test/results/x', inFolder, 'external /results/x'],
  ['beside it, with the same beginning', 'https://pub.test/based/x', inFolder, 'external /based/x'],
  ['on this machine, past the public URL', 'http://127.0.0.1:4650/results/x', inFolder, 'own /results/x'],
])('a URL %s', (_, url, reached, place) => expect(placed(url, reached)).toBe(place))

test.each([
  ['a name of 80 characters is said as it is', 'a'.repeat(80), 'a'.repeat(80)],
  ['one of 81 is cut', 'a'.repeat(81), `${'a'.repeat(60)}… (81 characters)`],
  [
    'no character is cut in half',
    `${'a'.repeat(59)}${'😀'.repeat(20)}`,
    `${'a'.repeat(59)}… (99 characters)`,
  ],
])('%s', (_, name, shown) => expect(truncate(name)).toBe(shown))
