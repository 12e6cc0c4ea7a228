import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmulatorProcess } from '../emulator.js'
import { get, newPicture, newVideo } from './calls.js'
import type { Fault } from './fault.js'
import { drawingInto } from './in-folder.js'

const run = promisify(execFile)

/** A disk of a few megabytes; undefined where this user may not make one. */
const smallDisk = async (): Promise<
  { folder: string; remount(how: 'ro' | 'rw'): Promise<unknown>; gone(): Promise<void> } | undefined
> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-small-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    remount: (how) => run('mount', ['-o', `remount,${how}`, folder]),
    gone: async () => {
      await run('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const fullDisk: Fault = {
  name: 'a full disk',
  run: async (check) => {
    const disk = await smallDisk()
    if (disk === undefined) return 'skipped: no small disk can be mounted by this user'
    const emulator = await startEmulatorProcess(drawingInto(disk.folder))
    try {
      for (let times = 0; times < 60; times += 1)
        check(
          (await get(await newPicture(emulator.url))).status === 200,
          'what was drawn before makes room for what is asked for',
        )
      const { bavail, bsize } = await statfs(disk.folder)
      // Everything that can leave leaves for it; so fill what that would free too.
      const filler = join(disk.folder, 'filler')
      await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined)
      const video = await newVideo(emulator.url)
      for (let times = 0; times < 3; times += 1) {
        const { status, text } = await get(video)
        check(
          status === 500 && text.includes('"disk-full"'),
          `a video says that the disk is full: ${status} ${text}`,
        )
      }
      check((await get(`${emulator.url}/_backlot/health`)).status === 200, 'the rest goes on')
      check(occurrences(emulator.errors(), 'the disk is full') === 1, `it is said once: ${emulator.errors()}`)
      await rm(filler)
      check((await get(await newPicture(emulator.url))).status === 200, 'it works again when there is room')
      return 'says so once, goes on, and works again'
    } finally {
      await emulator.kill()
      await disk.gone()
    }
  },
}

export const readOnlyDisk: Fault = {
  name: 'a disk that becomes read-only',
  run: async (check) => {
    const disk = await smallDisk()
    if (disk === undefined) return 'skipped: no small disk can be mounted by this user'
    const emulator = await startEmulatorProcess(drawingInto(disk.folder))
    try {
      const drawn = await newPicture(emulator.url)
      check((await get(drawn)).status === 200, 'a picture before')
      await disk.remount('ro')
      const picture = await newPicture(emulator.url)
      const { status, text } = await get(picture)
      check(status === 500 && text.includes('"folder-unusable"'), `a picture says so: ${status} ${text}`)
      check((await get(drawn)).status === 200, 'what was drawn before is still there')
      const other = await startEmulatorProcess(drawingInto(join(disk.folder, 'not', 'made')))
      const unmade = await newPicture(other.url)
        .then(get)
        .finally(() => other.kill())
      check(unmade.text.includes('the file system is read-only'), `without a folder too: ${unmade.text}`)
      await disk.remount('rw')
      check((await get(picture)).status === 200, 'it works again')
      return 'says so, still has what was drawn, and works again'
    } finally {
      await emulator.kill()
      await disk.gone()
    }
  },
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1
