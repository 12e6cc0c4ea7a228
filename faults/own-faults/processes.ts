import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { comesTrue, get, newPicture, newVideo } from './calls.js'
import { drawingInto, inFolder } from './in-folder.js'

interface Process {
  readonly number: number
  readonly parent: number
  readonly program: string
}

const processes = async (): Promise<Process[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-e', '-o', 'pid=,ppid=,comm='])
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([number, parent, program = '']) => ({ number: Number(number), parent: Number(parent), program }))
}

/** Those of a program that another process has started, or one that it has started, or one that that has. */
const startedBy = async (ancestor: number, program: string): Promise<number[]> => {
  const all = await processes()
  const isBelow = ({ parent }: Process): boolean =>
    parent === ancestor || all.some((each) => each.number === parent && isBelow(each))
  return all.filter((each) => each.program === program && isBelow(each)).map(({ number }) => number)
}

const FINISHED = /^[0-9a-f]{64}\.\w+$/

/** Files of the folder of an emulator's process that are not finished, and the folders of other processes. */
const leftIn = async (folder: string, pid: number): Promise<string[]> => {
  const parts = await Promise.all(
    ['drawn', 'inputs', 'uploads'].map(async (part) => {
      const names = (await readdir(join(folder, part)).catch(() => [])).filter((name) =>
        name.startsWith('.of-'),
      )
      const own = names.filter((name) => name.includes(`-${pid}-`))
      const files = await Promise.all(own.map((name) => readdir(join(folder, part, name)).catch(() => [])))
      return [
        ...names.filter((name) => !own.includes(name)),
        ...files.flat().filter((file) => !FINISHED.test(file)),
      ]
    }),
  )
  return parts.flat()
}

/** Asks for new videos until ffmpeg was caught at one of them, which takes it some fifty milliseconds. */
const killedWhileDrawing = async ({ url, pid }: { readonly url: string; readonly pid: number }) => {
  for (let tries = 0; tries < 50; tries += 1) {
    const video = await newVideo(url, 15)
    let isThere = false
    const answer = get(video).finally(() => {
      isThere = true
    })
    while (!isThere) {
      const [victim] = await startedBy(pid, 'ffmpeg')
      if (victim !== undefined && wasKilled(victim)) return { video, answer }
    }
  }
  throw new Error('ffmpeg was never caught at work')
}

const wasKilled = (number: number): boolean => {
  try {
    return process.kill(number, 'SIGKILL')
  } catch {
    return false
  }
}

export const killedFfmpeg = inFolder(
  'ffmpeg killed in the middle of a video',
  async ({ check, folder, start }) => {
    const emulator = await start(drawingInto(folder))
    check((await get(await newVideo(emulator.url))).status === 200, 'a video before')
    const { video, answer } = await killedWhileDrawing(emulator)
    const { status, text } = await answer
    check(status === 500 && text.includes('SIGKILL'), `the download says so: ${status} ${text}`)
    check((await get(video)).status === 200, 'the next one draws it')
    check((await leftIn(folder, emulator.pid)).length === 0, 'nothing is left on the disk')
    return 'the download says so, and the next one has the video'
  },
)

export const killedEmulator = inFolder(
  'an emulator killed in the middle of a video',
  async ({ check, folder, start }) => {
    const first = await start(drawingInto(folder))
    void get(await newVideo(first.url, 15))
    check(
      await comesTrue(async () => (await startedBy(first.pid, 'ffmpeg')).length > 0),
      'it was in the middle',
    )
    await first.kill()
    check((await leftIn(folder, 0)).length > 0, 'it has left something behind')
    const second = await start(drawingInto(folder))
    check((await get(await newPicture(second.url))).status === 200, 'the next one draws')
    check((await leftIn(folder, second.pid)).length === 0, 'the next one has removed what was left behind')
    return 'the next one removes what it has left behind'
  },
)

export const noTemporaryFolder = inFolder(
  'a folder for temporary files that cannot be written to',
  async ({ check, folder, start }) => {
    // Not even root can make a folder in a file.
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    const emulator = await start(['--timing', 'instant'], { environment: { TMPDIR: file } })
    check((await get(`${emulator.url}/_backlot/health`)).status === 200, 'it starts')
    const { status, text } = await get(await newPicture(emulator.url))
    check(status === 500 && text.includes('mediaFolder'), `a picture says what to do: ${status} ${text}`)
    return 'it starts, and says what to do where it needs one'
  },
)
