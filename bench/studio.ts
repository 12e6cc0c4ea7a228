/** Prints how long drawing takes: `npx tsx bench/studio.ts`. Every figure is of files that were never drawn before. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MediaSpec, TitleCard } from '../src/core/media/spec.js'
import { createStudio, findFfmpeg, type Studio } from '../src/server/media/studio/index.js'
import { median, medianTime, timed } from './measure.js'
import { print } from './report.js'

const ROUNDS = 9
let seed = 0

const card = (size: string): TitleCard => ({
  prompt: '夜晚的城市天际线，霓虹灯倒映在湿漉漉的街道上。A slow dolly shot, cinematic light.',
  ...{ model: 'videoa-2-0-260128', size, seed, id: 'cgt-20260101000000-abcde' },
})

const picture = (side: number): MediaSpec => {
  seed += 1
  const size = { width: side, height: side }
  return { kind: 'picture', ...size, seed, card: card(`${side}*${side}`), hasWatermark: true, inputs: [] }
}

const video = (width: number, height: number, seconds: number): MediaSpec => {
  seed += 1
  const form = { width, height, seconds, framesPerSecond: 24, hasAudio: true, hasWatermark: true }
  return { kind: 'video', ...form, seed, card: card(`${height}p 16:9 ${seconds}s`), references: [] }
}

const draw = async (studio: Studio, spec: MediaSpec): Promise<void> => (await studio.open(spec)).release()

const sizes = { '720p 5 s': [1280, 720, 5, 130], '1080p 15 s': [1920, 1080, 15, 330] } as const

const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
const studio = createStudio({
  folder,
  ...{ maxDiskBytes: 2 ** 30, maxMemoryBytes: 2 ** 26, rendersAtOnce: availableParallelism() },
  renderTimeoutMs: 60_000,
  readBlob: async () => undefined,
})

const most = (value: number) => ({ at: 'most', value }) as const
const ms = (name: string, value: number, aim?: number) =>
  print({ name, value, unit: 'ms', ...(aim === undefined ? {} : { aim: most(aim) }) })

const first = await timed(() => draw(studio, picture(1024)))
ms('first picture of the process, 1024x1024', first, 350)
ms('first video of the process, 720p 5 s', await timed(() => draw(studio, video(1280, 720, 5))), 430)

for (const [side, aim] of [
  [1024, 50],
  [2048, 130],
] as const) {
  ms(`new picture, ${side}x${side}`, await medianTime(ROUNDS, () => draw(studio, picture(side))), aim)
}

const known = picture(512)
ms('picture drawn before', await medianTime(ROUNDS, () => draw(studio, known)), 5)

const ffmpeg = await findFfmpeg()
const plainly = async (width: number, height: number, seconds: number): Promise<void> => {
  const source = `testsrc2=size=${width}x${height}:rate=24:duration=${seconds}`
  const options = ['-y', '-loglevel', 'error', '-f', 'lavfi', '-i', source, '-c:v', 'libx264']
  await once(spawn(ffmpeg?.path ?? 'ffmpeg', [...options, join(folder, 'plain.mp4')]), 'exit')
}

for (const [name, [width, height, seconds, aim]] of Object.entries(sizes)) {
  const ours: number[] = []
  const theirs: number[] = []
  // By turns, so that both see the same machine.
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await timed(() => draw(studio, video(width, height, seconds))))
    if (round % 3 === 0) theirs.push(await timed(() => plainly(width, height, seconds)))
  }
  ms(`new video with sound, ${name}`, median(ours), aim)
  const value = median(theirs) / median(ours)
  print({ name: `plain ffmpeg against it, ${name}`, value, unit: 'x', aim: { at: 'least', value: 4 } })
}

const delay = monitorEventLoopDelay({ resolution: 1 })
const twenty = Array.from({ length: 20 }, () => video(1280, 720, 5))
delay.enable()
const together = await timed(() => Promise.all(twenty.map((spec) => draw(studio, spec))))
delay.disable()
ms('twenty new videos at once, 720p 5 s', together, 1900)
ms('the event loop was late by at most', delay.max / 1e6, 50)

await studio.stop()
await rm(folder, { recursive: true, force: true })
