import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { readStandIn } from '../../core/media/stand-in.js'
import type { FormFile } from '../../core/operation.js'
import { oneByOne } from '../media/one-by-one.js'
import type { ReadFile } from './read-form.js'

/** `blob`, and `bytes` where they are there, are those of the medium that a stand-in stands for. */
export type Seen = Pick<FormFile, 'format' | 'probe' | 'blob'> & Partial<Pick<FormFile, 'bytes'>>

// Files up to this size are read into memory that is kept, which spares the collector ten megabytes an upload.
const KEPT_BYTES = 16 * 2 ** 20

/** Finds out what a file at a path is. It is in memory meanwhile, so that one is looked at after the other. */
export const createLookAt = (): ((path: string, file: ReadFile) => Promise<Seen>) => {
  const inTurn = oneByOne()
  let kept: Buffer = Buffer.alloc(0)

  const memoryFor = (size: number): Buffer => {
    if (size > KEPT_BYTES) return Buffer.allocUnsafeSlow(size)
    if (kept.length < size) kept = Buffer.allocUnsafeSlow(size)
    return kept
  }

  return (path, file) =>
    inTurn(async () => {
      const bytes = await readInto(memoryFor(file.bytes), path, file.bytes)
      const { probe, sniff } = await import('../media/probe/index.js')
      const format = sniff(bytes)
      return {
        ...{ probe: await probe(bytes), blob: file.hash ?? hash('sha256', bytes, 'hex') },
        ...(format === undefined ? {} : { format }),
        ...saidByStandIn(bytes),
      }
    })
}

const saidByStandIn = (file: Uint8Array): Partial<FormFile> => {
  const standIn = readStandIn(file)
  if (standIn === undefined) return {}
  const { sha256, bytes, format } = standIn
  return { blob: sha256, bytes, ...(format === undefined ? {} : { format }) }
}

// One read of the whole: readFile goes in small steps, which for ten megabytes takes ten times as long.
const readInto = async (memory: Buffer, path: string, size: number): Promise<Uint8Array> => {
  const file = await open(path)
  try {
    const { bytesRead } = await file.read(memory, 0, size, 0)
    return memory.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
