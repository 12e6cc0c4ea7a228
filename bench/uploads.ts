import { median, timed } from './measure.js'
import { emulatorWith, startProcess } from './process.js'
import type { Figure } from './report.js'

const MEBIBYTES = 10
const ROUNDS = 9
const UPLOADS = 12

/** A PNG may hold a chunk of anything, so that a small picture can have many bytes. */
const heavyPicture = (square: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  const extra = MEBIBYTES * 2 ** 20 - square.length - 12
  head.writeUInt32BE(extra)
  head.write('teSt', 4, 'latin1')
  return Buffer.concat([square.subarray(0, 33), head, Buffer.alloc(extra + 4), square.subarray(33)])
}

const upload = async (url: string, picture: Blob): Promise<void> => {
  const body = new FormData()
  body.append('file', picture, 'picture.png')
  const response = await fetch(`${url}/v1/asset/upload`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench' },
    body,
  })
  const answer = await response.text()
  if (response.status !== 200) throw new Error(answer)
}

/** Milliseconds that so many uploads take, a part of them at the same time. */
const uploading = (url: string, picture: Blob, atOnce: number): Promise<number> =>
  timed(() =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let sent = 0; sent < UPLOADS / atOnce; sent += 1) await upload(url, picture)
      }),
    ),
  )

/** Uploads of 10 MB against a bare server that writes them with multer and does nothing else, turn by turn. */
export const uploads = async (): Promise<Figure[]> => {
  const room = ['--set', `assetTotalBytes=${2 ** 40}`, '--set', 'maxAssets=10000']
  const emulator = await startProcess(emulatorWith('--timing', 'instant', ...room))
  const bare = await startProcess(['bench/bare-multer.mjs'])
  const square = await (await fetch(`${emulator.url}/_backlot/fixtures/square.png`)).arrayBuffer()
  const picture = new Blob([heavyPicture(Buffer.from(square))], { type: 'image/png' })
  const figures: Figure[] = []
  for (const atOnce of [1, 4]) {
    const ratios: number[] = []
    for (let round = -1; round < ROUNDS; round += 1) {
      const ratio =
        (await uploading(bare.url, picture, atOnce)) / (await uploading(emulator.url, picture, atOnce))
      if (round >= 0) ratios.push(ratio)
    }
    figures.push({
      name: `uploads of ${MEBIBYTES} MiB on ${atOnce} connection${atOnce === 1 ? '' : 's'}, bytes a second`,
      value: median(ratios),
      unit: 'x bare multer',
      aim: { at: 'least', value: 0.7 },
    })
  }
  await Promise.all([emulator.stop(), bare.stop()])
  return figures
}
