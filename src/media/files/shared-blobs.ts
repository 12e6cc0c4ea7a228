import { readFile } from 'node:fs/promises'
import type { BlobStore } from './blob-store.js'

/** Inputs that several processes share, by their hash. */
interface SharedInputs {
  putInput(hash: string, bytes: Uint8Array): Promise<void>
  getInput(hash: string): Promise<Uint8Array | undefined>
}

/** Blob store whose inputs other replicas read too: this process has a copy of those that it has used. */
export const createSharedBlobs = (blobs: BlobStore, { putInput, getInput }: SharedInputs): BlobStore => {
  const fetched = async (hash: string): Promise<boolean> => {
    if (await blobs.has(hash)) return true
    const bytes = await getInput(hash)
    if (bytes === undefined) return false
    await blobs.put(bytes)
    return true
  }
  return {
    ...blobs,
    put: async (bytes) => {
      const hash = await blobs.put(bytes)
      await putInput(hash, bytes)
      return hash
    },
    putFile: async (path, file) => {
      const bytes = await readFile(path)
      await blobs.putFile(path, file)
      await putInput(file.hash, bytes)
    },
    read: async (hash) => ((await fetched(hash)) ? blobs.read(hash) : undefined),
    has: fetched,
    pin: async (hash) => (await fetched(hash)) && blobs.pin(hash),
  }
}
