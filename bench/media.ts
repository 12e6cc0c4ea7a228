import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '../src/emulator/media/render/ffmpeg.js'
import { ask, type Call, creates, get, TASKS } from './calls.js'
import { byTurns, inFullOr, isQuick, median, medians, timed } from './measure.js'
import { type Aim, atMost, OURS, type Row, row, type Table } from './report.js'
import { type Server, set, startBacklot } from './server.js'

const ROUNDS = inFullOr(5, 1)
const AT_ONCE = 20

const picture = (side: number): Call => ({
  ...creates.A,
  body: { ...creates.A.body, parameters: { size: `${side}*${side}`, watermark: true } },
})

const video = (resolution: string, seconds: number, role?: string): Call => {
  const url = 'http://127.0.0.1/_backlot/fixtures/landscape.jpg'
  const { content } = creates.B.body as { content: object[] }
  const shown = role === undefined ? [] : [{ type: 'image_url', role, image_url: { url } }]
  const rest = { resolution, duration: seconds, ratio: '16:9', watermark: true }
  return { ...creates.B, body: { ...creates.B.body, ...rest, content: [...content, ...shown] } }
}

/** A kind of picture or video, and what is wanted of a new one; the size of a video is what ffmpeg makes beside it. */
interface Kind {
  readonly name: string
  readonly call: Call
  readonly aim?: Aim
  readonly size?: readonly [width: number, height: number, seconds: number]
}

const kinds: readonly Kind[] = [
  { name: 'picture, 1024x1024', call: picture(1024) },
  { name: 'picture, 2048x2048', call: picture(2048) },
  { name: 'video, 480p 4 s', call: video('480p', 4), size: [864, 496, 4] },
  {
    name: 'video, 720p 5 s',
    call: video('720p', 5),
    aim: atMost(0.35, { times: 'ffmpeg ultrafast' }),
    size: [1280, 720, 5],
  },
  { name: 'video, 720p 5 s with a first frame', call: video('720p', 5, 'first_frame'), size: [1280, 720, 5] },
  {
    name: 'video, 1080p 15 s with a first frame',
    call: video('1080p', 15, 'first_frame'),
    aim: atMost(0.8, { times: 'loop of a second' }),
    size: [1920, 1080, 15],
  },
]

/** Creates one that was not asked for before; its URL. */
const create = async (url: string, call: Call): Promise<string> => {
  type Image = { output: { choices: [{ message: { content: [{ image: string }] } }] } }
  if (call.path !== TASKS) return (await ask<Image>(url, call)).output.choices[0].message.content[0].image
  const { id } = await ask<{ id: string }>(url, call)
  return (await ask<{ content: { video_url: string } }>(url, get(`${TASKS}/${id}`))).content.video_url
}

/** Reads all of a file, as clients do. @throws Error where there is no such file */
const download = async (url: string): Promise<void> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

/** Milliseconds until the first byte of a file came. */
const firstByteMs = async (url: string): Promise<number> => {
  const before = performance.now()
  const response = await fetch(url)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  const ms = performance.now() - before
  // Its connection is free for the next once it is read.
  while (!(await reader.read()).done);
  return ms
}

/** An emulator with a folder of its own for what it renders. */
const startRendering = async (): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const server = await startBacklot('--timing', 'instant', ...set({ mediaFolder: folder }))
  return {
    ...server,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs the emulator's ffmpeg. @throws Error when it fails */
const ffmpeg = async (...args: readonly (string | number)[]): Promise<void> => {
  const path = (await findFfmpeg())?.path ?? 'ffmpeg'
  const child = spawn(path, ['-y', '-loglevel', 'error', ...args.map(String)], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

/** Input and output options of a test picture with a tone, for so many seconds: H.264 with the fastest preset, and AAC. */
const encoded = (width: number, height: number, seconds: number, file: string) => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=24:duration=${seconds}`],
  ...['-f', 'lavfi', '-i', `sine=frequency=220:duration=${seconds}`],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-t', seconds, file],
]

/** What ffmpeg can do at its fastest for a video of the same size, length and rate, with sound. */
const yardsticks: Readonly<
  Record<string, (folder: string, size: NonNullable<Kind['size']>) => Promise<void>>
> = {
  'ffmpeg ultrafast': (folder, size) => ffmpeg(...encoded(...size, join(folder, 'whole.mp4'))),
  'loop of a second': async (folder, [width, height, seconds]) => {
    const [second, whole] = [join(folder, 'second.mp4'), join(folder, 'loop.mp4')]
    await ffmpeg(...encoded(width, height, 1, second))
    await ffmpeg('-stream_loop', seconds - 1, '-i', second, '-c', 'copy', whole)
  },
}

/** The first of each in a quick run. */
const measuredKinds = isQuick ? [kinds[0], kinds[3]].flatMap((kind) => kind ?? []) : kinds

const kindRows = async (url: string): Promise<Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const rows: Row[] = []
  for (const { name, call, aim, size } of measuredKinds) {
    const later: number[] = []
    const names = [OURS, ...(size ? Object.keys(yardsticks) : [])]
    const turns = await byTurns(names, ROUNDS, async (who) => {
      if (size && who !== OURS) return timed(() => yardsticks[who]?.(folder, size))
      const made = await create(url, call)
      const ms = await timed(() => download(made))
      later.push(await firstByteMs(made))
      return ms
    })
    rows.push(
      row(
        `new ${name}`,
        'ms',
        medians(turns, (ms) => ms),
        ...(aim ? [aim] : []),
      ),
    )
    rows.push(row('its first byte, later', 'ms', median(later), atMost(5)))
  }
  await rm(folder, { recursive: true })
  return rows
}

/** Different videos at once: until all are there, and how late the event loop was meanwhile. */
const together = async (name: string, server: Server): Promise<Row[]> => {
  const urls: string[] = []
  for (let made = 0; made < AT_ONCE; made += 1) urls.push(await create(server.url, video('720p', 5)))
  await server.usage('lateness')
  const ms = await timed(() => Promise.all(urls.map(download)))
  const { lateMs } = await server.usage()
  return [
    row(`${AT_ONCE} new videos of 720p 5 s at once, ${name}`, 'ms', ms),
    row('the event loop was late by at most', 'ms', lateMs, atMost(50)),
  ]
}

/** The first of a process, whose code and font are loaded then. */
const firstOf = async (name: string, call: Call, most: Aim): Promise<Row> => {
  const times: number[] = []
  for (let round = 0; round < inFullOr(5, 1); round += 1) {
    const server = await startRendering()
    const made = await create(server.url, call)
    times.push(await timed(() => download(made)))
    await server.stop()
  }
  return row(`first ${name} of a process`, 'ms', median(times), most)
}

/** How long pictures and videos take from the request for their URL: new, rendered before, and many at once. */
export const media = async (): Promise<Table[]> => {
  const firsts = [
    await firstOf('picture, 1024x1024,', picture(1024), atMost(130)),
    await firstOf('video, 720p 5 s,', video('720p', 5), atMost(274)),
  ]
  const fresh = await startRendering()
  const cold = await together('in a new process', fresh)
  await fresh.stop()
  const server = await startRendering()
  const each = await kindRows(server.url)
  const warm = await together('later', server)
  await server.stop()
  return [
    { title: 'Pictures and videos', rows: each },
    { title: 'First in a process, and many at once', rows: [...firsts, ...cold, ...warm] },
  ]
}
