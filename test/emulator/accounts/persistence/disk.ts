import { type FileHandle, open } from 'node:fs/promises'
import { onTestFinished, vi } from 'vitest'

/** What the methods of open files are taken from. */
export const handlePrototype = async (): Promise<FileHandle> => {
  const anyFile = await open(import.meta.filename)
  await anyFile.close()
  return Object.getPrototypeOf(anyFile)
}

/** Error of a full disk. */
export const noSpace = (): Error => Object.assign(new Error('no space'), { code: 'ENOSPC' })

/** Holds the next snapshot back, which is written as a whole; batches of the log are not. */
export const heldSnapshot = async () => {
  const prototype = await handlePrototype()
  const { writeFile: write } = prototype
  const spy = vi.spyOn(prototype, 'writeFile')
  onTestFinished(() => spy.mockRestore())
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const begun = new Promise<void>((resolve) => {
    spy.mockImplementation(async function (this: FileHandle, ...given: Parameters<typeof write>) {
      resolve()
      await released
      return write.apply(this, given)
    })
  })
  return { begun, release }
}

/** Refuses every write of files as a full disk does. */
export const refusingDisk = async (onRefused: (bytes: number) => void = () => {}) => {
  const disk = vi.spyOn(await handlePrototype(), 'write')
  onTestFinished(() => disk.mockRestore())
  return disk.mockImplementation(async (bytes: unknown) => {
    onRefused((bytes as Uint8Array).byteLength)
    throw noSpace()
  })
}
