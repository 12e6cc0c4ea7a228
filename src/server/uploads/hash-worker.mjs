// SHA-256 of files, one after the other, in memory that is used again.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

const piece = Buffer.allocUnsafeSlow(256 * 1024)

const hashOf = (path) => {
  const hash = createHash('sha256')
  const file = openSync(path)
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hash.update(piece.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

parentPort.on('message', ({ id, path }) => {
  try {
    parentPort.postMessage({ id, hash: hashOf(path) })
  } catch {
    parentPort.postMessage({ id })
  }
})
