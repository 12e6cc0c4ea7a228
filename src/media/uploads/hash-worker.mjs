import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

// SHA-256 of files whose pieces come in shared memory, those of several files in any mixture.

const hashes = new Map()

// A message without a piece ends its file.
parentPort.on('message', ({ id, file, piece }) => {
  const hash = hashes.get(file) ?? createHash('sha256')
  if (piece === undefined) {
    hashes.delete(file)
    parentPort.postMessage({ id, hash: hash.digest('hex') })
  } else {
    hashes.set(file, hash.update(piece))
    parentPort.postMessage({ id })
  }
})
