import { percentile, timed } from './measure.js'
import { emulatorWith, startProcess } from './process.js'
import { atMostMs, type Figure } from './report.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'
const SECOND_GENERATION = '/provC/v2/video_generation'
const PICTURES = 6
const BODIES = 3

const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }

// A PNG may hold a chunk of anything, so that a small picture can have many bytes.
const heavyPicture = (square: Buffer, extra: number): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(extra)
  head.write('teSt', 4, 'latin1')
  return Buffer.concat([square.subarray(0, 33), head, Buffer.alloc(extra + 4), square.subarray(33)])
}

/** A body of about 60 MB of Base64. */
const heavyBody = async (url: string): Promise<string> => {
  const square = Buffer.from(await (await fetch(`${url}/_backlot/fixtures/square.png`)).arrayBuffer())
  const picture = heavyPicture(square, (60 * 2 ** 20 * 3) / 4 / PICTURES - square.length).toString('base64')
  return JSON.stringify({
    model: 'gamma-H3',
    duration: 5,
    content: [
      { type: 'text', text: 'A lighthouse in the fog' },
      ...Array.from({ length: PICTURES }, () => ({
        type: 'image_url',
        role: 'reference_image',
        image_url: { url: `data:image/png;base64,${picture}` },
      })),
    ],
  })
}

const queryTimes = async (url: string, until: () => boolean): Promise<number[]> => {
  const times: number[] = []
  while (!until()) times.push(await timed(async () => (await fetch(url + TASKS, { headers })).text()))
  return times
}

/** How late small queries are answered while a body of 60 MB is read, against without. */
export const largeBody = async (): Promise<Figure[]> => {
  const emulator = await startProcess(emulatorWith())
  const body = await heavyBody(emulator.url)
  const ends = performance.now() + 3_000
  const alone = await queryTimes(emulator.url, () => performance.now() > ends)
  let isDone = false
  const sending = (async () => {
    for (let sent = 0; sent < BODIES; sent += 1) {
      const response = await fetch(emulator.url + SECOND_GENERATION, { method: 'POST', headers, body })
      if (response.status !== 200) throw new Error(await response.text())
    }
    isDone = true
  })()
  const beside = await queryTimes(emulator.url, () => isDone)
  await sending
  await emulator.stop()
  return [
    { name: 'small queries alone, p99', value: percentile(alone, 0.99), unit: 'ms' },
    atMostMs('small queries beside bodies of 60 MB, p99', percentile(beside, 0.99), 50),
  ]
}
