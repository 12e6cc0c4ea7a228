import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '../src/media/render/find-ffmpeg.js'
import { median, timed } from './measure.js'
import { emulatorWith, type Running, startProcess } from './process.js'
import { atMostMs, type Figure } from './report.js'

const ROUNDS = 9
/** Once in so many rounds: it takes seconds. */
const PLAIN_EVERY = 3
const AT_ONCE = 20

const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }

interface Kind {
  readonly name: string
  readonly path: string
  readonly body: object
  /** Milliseconds that a new one may take. */
  readonly most: number
}

interface VideoKind extends Kind {
  /** What the plain command makes, with 24 frames a second. */
  readonly width: number
  readonly height: number
  readonly seconds: number
}

const prompt = '夜晚的城市天际线，霓虹灯倒映在湿漉漉的街道上。A slow dolly shot, cinematic light.'

const picture = (side: number, most: number): Kind => ({
  name: `${side}x${side}`,
  path: '/provA/api/v1/services/aigc/multimodal-generation/generation',
  body: {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
    parameters: { size: `${side}*${side}`, watermark: true },
  },
  most,
})

const videoOf = (resolution: string, seconds: number, media: readonly object[] = []) => ({
  path: '/provB/api/v3/contents/generations/tasks',
  body: {
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: prompt }, ...media],
    ...{ resolution, duration: seconds, ratio: '16:9', watermark: true },
  },
})

const pictureAs = (url: string, role: string) => ({
  type: 'image_url',
  role,
  image_url: { url: `${url}/_backlot/fixtures/landscape.jpg` },
})

const size = (width: number, height: number, seconds: number) => ({ width, height, seconds })

const videoKinds = (url: string): readonly VideoKind[] => [
  { name: '480p 4 s', ...videoOf('480p', 4), ...size(864, 496, 4), most: 150 },
  { name: '720p 5 s', ...videoOf('720p', 5), ...size(1280, 720, 5), most: 200 },
  {
    name: '720p 5 s with a first frame',
    ...videoOf('720p', 5, [pictureAs(url, 'first_frame')]),
    ...size(1280, 720, 5),
    most: 260,
  },
  // 1080p is not for text alone (§B), so that this one shows a picture beside its text.
  {
    name: '1080p 15 s',
    ...videoOf('1080p', 15, [pictureAs(url, 'reference_image')]),
    ...size(1920, 1080, 15),
    most: 400,
  },
]

/** What is read of the answers of A and B. */
interface Answer {
  readonly id?: string
  readonly output?: {
    readonly choices: [{ readonly message: { readonly content: [{ readonly image: string }] } }]
  }
  readonly content?: { readonly video_url: string }
}

const ask = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(url, { ...init, headers })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

/** Creates one that nobody has asked for before; its URL. */
const create = async (url: string, { path, body }: Pick<Kind, 'path' | 'body'>): Promise<string> => {
  const { id, output } = await ask(url + path, { method: 'POST', body: JSON.stringify(body) })
  if (output !== undefined) return output.choices[0].message.content[0].image
  return (await ask(`${url}${path}/${id}`)).content?.video_url ?? ''
}

/** @throws Error where there is no such file */
const download = async (url: string): Promise<void> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

/** All is read, as clients do: what is left unread keeps its connection, and the next request would wait for another. */
const firstByteMs = async (url: string): Promise<number> => {
  const before = performance.now()
  const chunks = (await fetch(url)).body?.[Symbol.asyncIterator]()
  await chunks?.next()
  const ms = performance.now() - before
  while ((await chunks?.next())?.done === false) {}
  return ms
}

/** An emulator in a process of its own, which says how late it was, with a folder of its own for what it draws. */
const startDrawing = async (): Promise<Running & { lateMs(): Promise<number> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const emulator = emulatorWith('--timing', 'instant', '--set', `mediaFolder=${folder}`)
  const running = await startProcess(['--import', './bench/lateness.mjs', ...emulator])
  return {
    ...running,
    lateMs: async () => {
      const answered = once(running.child, 'message')
      running.child.send('how late?')
      return Number((await answered)[0])
    },
    stop: async () => {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A plain ffmpeg command for the same size, length and rate, from a test source and with default settings. */
const plainly = async ({ width, height, seconds }: VideoKind): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const source = `testsrc2=size=${width}x${height}:rate=24:duration=${seconds}`
  const ffmpeg = await findFfmpeg()
  const given = ['-y', '-loglevel', 'error', '-f', 'lavfi', '-i', source, join(folder, 'plain.mp4')]
  await once(spawn(ffmpeg?.path ?? 'ffmpeg', given, { stdio: 'ignore' }), 'exit')
  await rm(folder, { recursive: true })
}

interface Fetched {
  readonly fresh: number
  readonly cached: number
}

const fetched = async (url: string, kind: Kind): Promise<Fetched> => {
  const made = await create(url, kind)
  const fresh = await timed(() => download(made))
  return { fresh, cached: await firstByteMs(made) }
}

const figuresOf = (what: string, { name, most }: Kind, times: readonly Fetched[]): Figure[] => [
  atMostMs(`new ${what}, ${name}`, median(times.map(({ fresh }) => fresh)), most),
  atMostMs(`first byte of one drawn before, ${name}`, median(times.map(({ cached }) => cached)), 5),
]

const pictures = async (url: string): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const kind of [picture(1024, 60), picture(2048, 150)]) {
    const times: Fetched[] = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(await fetched(url, kind))
    figures.push(...figuresOf('picture', kind, times))
  }
  return figures
}

const videos = async (url: string): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const kind of videoKinds(url)) {
    const ours: Fetched[] = []
    const theirs: number[] = []
    // By turns, so that both see the same machine.
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await fetched(url, kind))
      if (round % PLAIN_EVERY === 0) theirs.push(await timed(() => plainly(kind)))
    }
    const value = median(theirs) / median(ours.map(({ fresh }) => fresh))
    figures.push(...figuresOf('video', kind, ours), {
      name: `plain ffmpeg against it, ${kind.name}`,
      value,
      unit: 'x',
      aim: { at: 'least', value: 4 },
    })
  }
  return figures
}

/** The first of a process may take so much more: what draws is loaded then. */
const FIRST_MS = 300

/** Twenty different videos at once: until all are there, and how late the emulator's event loop was meanwhile. */
const together = async (
  name: string,
  { url, lateMs }: Awaited<ReturnType<typeof startDrawing>>,
  most: number,
): Promise<Figure[]> => {
  const urls: string[] = []
  for (let made = 0; made < AT_ONCE; made += 1) urls.push(await create(url, videoOf('720p', 5)))
  await lateMs()
  const ms = await timed(() => Promise.all(urls.map(download)))
  return [
    atMostMs(`${AT_ONCE} new videos of 720p 5 s at once, ${name}`, ms, most),
    atMostMs(`the event loop was late by at most, ${name}`, await lateMs(), 50),
  ]
}

const first = async (): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const [name, kind, most] of [
    ['picture of a process, 1024x1024', picture(1024, 60), 60 + FIRST_MS],
    ['video of a process, 720p 5 s', videoOf('720p', 5), 200 + FIRST_MS],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < PLAIN_EVERY; round += 1) {
      const emulator = await startDrawing()
      const made = await create(emulator.url, kind)
      times.push(await timed(() => download(made)))
      await emulator.stop()
    }
    figures.push(atMostMs(`first ${name}`, median(times), most))
  }
  return figures
}

/** How long pictures and videos take from the request for their URL on, new and drawn before, one by one and together. */
export const renderer = async (): Promise<Figure[]> => {
  const fresh = await startDrawing()
  const figures = [...(await first()), ...(await together('in a fresh process', fresh, 3_000 + FIRST_MS))]
  await fresh.stop()
  const emulator = await startDrawing()
  figures.push(...(await pictures(emulator.url)), ...(await videos(emulator.url)))
  figures.push(...(await together('later', emulator, 3_000)))
  await emulator.stop()
  return figures
}
