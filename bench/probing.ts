import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { probe } from '../src/media/probe.js'
import { medianTime, timed } from './measure.js'
import { atMostMs, type Figure } from './report.js'

const FIXTURES = 'fixtures/media'
const ROUNDS = 9

interface Probed {
  readonly name: string
  /** Milliseconds. */
  readonly first: number
  readonly later: number
}

const probing = async (name: string, bytes: Uint8Array): Promise<Probed> => {
  const first = await timed(() => probe(bytes))
  return { name, first, later: await medianTime(ROUNDS, () => probe(bytes)) }
}

const chunk = (type: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(data, crc32(type)))
  return Buffer.concat([head, data, check])
}

const pngOf = (side: number, pixels: Uint8Array): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A movie of nothing but boxes of eight bytes, each in need of being looked at. */
const manyBoxes = (count: number): Buffer => {
  const type = Buffer.from('0000001466747970697364360000020069736f36', 'hex')
  return Buffer.concat([type, Buffer.alloc(8 * count, Buffer.from('0000000866726565', 'hex'))])
}

const hostile = async (): Promise<readonly [string, Uint8Array][]> => {
  const clip = await readFile(join(FIXTURES, 'clip.mp4'))
  return [
    ['a PNG that says 100,000 by 100,000 pixels', pngOf(100_000, deflateSync(Buffer.alloc(1_000)))],
    ['a PNG whose 60 KB unpack to 60 MB', pngOf(4_000, deflateSync(Buffer.alloc(60_000_000)))],
    ['50 MB of boxes of eight bytes', manyBoxes(6_500_000)],
    ['50 MB of zeros that begin as a movie', Buffer.concat([clip, Buffer.alloc(50_000_000)])],
    ['50 MB that begin as an MP3', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(50_000_000, 0xff)])],
  ]
}

const slowest = (probed: readonly Probed[], which: 'first' | 'later'): Probed =>
  probed.reduce((slow, one) => (one[which] > slow[which] ? one : slow))

/** How long the facts of files take: of every fixture, the damaged and hostile ones among them, and of worse ones. */
export const probingTimes = async (): Promise<Figure[]> => {
  const names = (await readdir(FIXTURES)).filter((name) => !name.endsWith('.json'))
  // What loads with the first picture is no part of what a picture takes.
  await probe(await readFile(join(FIXTURES, 'square.png')))
  const fixtures: Probed[] = []
  for (const name of names) fixtures.push(await probing(name, await readFile(join(FIXTURES, name))))
  const [first, later] = [slowest(fixtures, 'first'), slowest(fixtures, 'later')]
  const figures: Figure[] = [
    atMostMs(`slowest of ${names.length} fixtures at first: ${first.name}`, first.first, 10),
    atMostMs(`slowest of ${names.length} fixtures later: ${later.name}`, later.later, 10),
  ]
  for (const [name, bytes] of await hostile())
    figures.push(atMostMs(`facts of ${name}`, (await probing(name, bytes)).first, 1_000))
  return figures
}
