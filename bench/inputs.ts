import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { probe } from '../src/emulator/media/probe.js'
import { ask, creates, get, TASKS } from './calls.js'
import { byTurns, inFullOr, median, medians, percentile, timed, timesOf } from './measure.js'
import { atLeast, atMost, OURS, type Row, row, type Table } from './report.js'
import { type Server, set, startBacklot, startPeer } from './server.js'

const FIXTURES = 'fixtures/media'
const ROUNDS = inFullOr(9, 2)
const UPLOADS = 12
const MIB = 2 ** 20

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
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

/** A small picture of many bytes: a PNG may hold a chunk of anything behind its header. */
const heavyPicture = async (bytes: number): Promise<Buffer> => {
  const square = await readFile(join(FIXTURES, 'square.png'))
  const filler = chunk('teSt', Buffer.alloc(bytes - square.length))
  return Buffer.concat([square.subarray(0, 33), filler, square.subarray(33)])
}

const hostileFiles = async (): Promise<Readonly<Record<string, Uint8Array>>> => ({
  'a PNG that says 100,000 by 100,000 pixels': pngOf(100_000, deflateSync(Buffer.alloc(1_000))),
  'a PNG whose 60 KB unpack to 60 MB': pngOf(4_000, deflateSync(Buffer.alloc(60_000_000))),
  '50 MB of boxes of eight bytes': Buffer.concat([
    Buffer.from('0000001466747970697364360000020069736f36', 'hex'),
    Buffer.alloc(50_000_000, Buffer.from('0000000866726565', 'hex')),
  ]),
  '50 MB of zeros that begin as a movie': Buffer.concat([
    await readFile(join(FIXTURES, 'clip.mp4')),
    Buffer.alloc(50_000_000),
  ]),
  '50 MB that begin as an MP3': Buffer.concat([Buffer.from('ID3'), Buffer.alloc(50_000_000, 0xff)]),
})

/** How long the facts of files take: of every fixture, and of files that are made to take long. */
const probing = async (): Promise<Row[]> => {
  const names = (await readdir(FIXTURES)).filter((name) => !name.endsWith('.json'))
  // What loads with the first picture is no part of what a picture takes.
  await probe(await readFile(join(FIXTURES, 'square.png')))
  const times: { name: string; ms: number }[] = []
  for (const name of names) {
    const bytes = await readFile(join(FIXTURES, name))
    times.push({ name, ms: median(await timesOf(ROUNDS, () => probe(bytes))) })
  }
  const slowest = times.reduce((slow, one) => (one.ms > slow.ms ? one : slow))
  const rows = [row(`slowest of ${names.length} fixtures, ${slowest.name}`, 'ms', slowest.ms, atMost(10))]
  for (const [name, bytes] of Object.entries(await hostileFiles()))
    rows.push(row(name, 'ms', await timed(() => probe(bytes)), atMost(1_000)))
  return rows
}

const upload = async ({ url }: Server, picture: Blob): Promise<void> => {
  const body = new FormData()
  body.append('file', picture, 'picture.png')
  const headers = { authorization: 'Bearer bench' }
  const response = await fetch(`${url}/v1/asset/upload`, { method: 'POST', headers, body })
  const answer = await response.text()
  if (response.status !== 200) throw new Error(answer)
}

/** Uploads of 10 MiB against Express with multer, which writes them and does nothing else. */
const uploading = async (): Promise<Row[]> => {
  const room = set({ assetTotalBytes: 2 ** 40, maxAssets: 10_000 })
  const servers = {
    [OURS]: await startBacklot('--timing', 'instant', ...room),
    multer: await startPeer('multer'),
  }
  const picture = new Blob([new Uint8Array(await heavyPicture(10 * MIB))], { type: 'image/png' })
  const rows: Row[] = []
  for (const atOnce of [1, 4]) {
    const sendSome = async (server: Server) => {
      for (let sent = 0; sent < UPLOADS / atOnce; sent += 1) await upload(server, picture)
    }
    const names = Object.keys(servers) as (keyof typeof servers)[]
    const turns = await byTurns(names, ROUNDS, (name) =>
      timed(() => Promise.all(Array.from({ length: atOnce }, () => sendSome(servers[name])))),
    )
    const rates = medians(turns, (ms) => (UPLOADS * 10) / (ms / 1_000))
    rows.push(row(`uploads of 10 MiB, ${atOnce} at a time`, 'MiB a second', rates, atLeast(0.7, 'multer')))
  }
  await Promise.all(Object.values(servers).map(({ stop }) => stop()))
  return rows
}

/** How late small calls are answered while bodies of 60 MB are read. */
const besideLargeBodies = async (): Promise<Row> => {
  const { url, stop } = await startBacklot()
  const picture = (await heavyPicture(Math.floor((60 * MIB * 3) / 4 / 6))).toString('base64')
  const image = {
    type: 'image_url',
    role: 'reference_image',
    image_url: { url: `data:image/png;base64,${picture}` },
  }
  const content = [
    ...(creates.F.body as { content: object[] }).content,
    ...Array.from({ length: 6 }, () => image),
  ]
  const large = { ...creates.F, body: { ...creates.F.body, content } }
  let isDone = false
  const sending = (async () => {
    for (let sent = 0; sent < 3; sent += 1) await ask(url, large)
  })().finally(() => {
    isDone = true
  })
  const times: number[] = []
  while (!isDone) times.push(await timed(() => ask(url, get(TASKS))))
  await sending
  await stop()
  return row(
    '99 of 100 small calls beside bodies of 60 MB, within',
    'ms',
    percentile(times, 0.99),
    atMost(50),
  )
}

/** What users send: facts of files, uploads, and large bodies. */
export const inputs = async (): Promise<Table[]> => [
  { title: 'Facts of a file', rows: await probing() },
  { title: 'Uploads and large bodies', rows: [...(await uploading()), await besideLargeBodies()] },
]
