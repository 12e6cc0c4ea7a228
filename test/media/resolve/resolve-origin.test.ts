import { expect, test } from 'vitest'
import { type OwnAddress, resolveOrigin } from '../../../src/media/resolve/own-media.js'

const placed = (url: string, reached: OwnAddress) => {
  const { whose, path } = resolveOrigin(new URL(url), reached)
  return `${whose} ${path}`
}

const direct: OwnAddress = { origin: 'http://127.0.0.1:4010', port: 4010 }
const mapped: OwnAddress = { origin: 'http://localhost:8080', port: 4010 }
const named: OwnAddress = { origin: 'http://studio.test', port: 4010 }
const inFolder: OwnAddress = { origin: 'https://pub.test/base', port: 4010 }

test.each([
  ['where the call came to', 'http://127.0.0.1:4010/results/x', direct, 'ours /results/x'],
  ['under another name of this machine', 'http://localhost:4010/results/x', direct, 'ours /results/x'],
  ['at the next port', 'http://127.0.0.1:4011/results/x', direct, 'near /results/x'],
  ['on another host', 'http://studio.test:4010/results/x', direct, 'elsewhere /results/x'],
  ['at the port that it is mapped to', 'http://127.0.0.1:8080/results/x', mapped, 'ours /results/x'],
  ['at the port behind a mapped one', 'http://127.0.0.1:4010/results/x', mapped, 'ours /results/x'],
  ['at neither of them', 'http://127.0.0.1:80/results/x', mapped, 'near /results/x'],
  ['under a name', 'http://studio.test/results/x', named, 'ours /results/x'],
  [
    'under a name, with the port that is implied',
    'http://STUDIO.test:80/results/x',
    named,
    'ours /results/x',
  ],
  ['at the port of a name, on this machine', 'http://127.0.0.1/results/x', named, 'near /results/x'],
  ['below the public URL', 'https://pub.test/base/results/x', inFolder, 'ours /results/x'],
  ['beside the public URL', 'https://pub.test/results/x', inFolder, 'elsewhere /results/x'],
  ['beside it, with the same beginning', 'https://pub.test/based/x', inFolder, 'elsewhere /based/x'],
  ['on this machine, past the public URL', 'http://127.0.0.1:4010/results/x', inFolder, 'ours /results/x'],
])('a URL %s', (_, url, reached, place) => expect(placed(url, reached)).toBe(place))
