import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Writes a state file anew with the records that hold, beside the event loop. It looks at texts alone: a record begins
 * with its kind, its account and its id, and ends with null where it is gone.
 */

const NEWLINE = 10
const PIECE_BYTES = 2 ** 20
const STRING = '"(?:[^"\\\\]|\\\\.)*"'
const begins = new RegExp(`^\\s*\\[\\s*(${STRING})\\s*,\\s*(${STRING})\\s*,\\s*(${STRING})\\s*,`)

const readWhole = (path, length) => {
  const bytes = Buffer.allocUnsafeSlow(length)
  const file = openSync(path, 'r')
  for (let at = 0; at < length; ) {
    const read = readSync(file, bytes, at, length - at, at)
    if (read === 0) throw new Error('the file has become shorter')
    at += read
  }
  closeSync(file)
  return bytes
}

const nameOf = (bytes, start, end) => {
  const found = begins.exec(bytes.toString('utf8', start, Math.min(end, start + 4096)))
  if (found !== null) return found.slice(1).map((text) => JSON.parse(text))
  const text = bytes.toString('utf8', start, end).trim()
  return text === '' ? [] : JSON.parse(text)
}

const isGone = (bytes, start, end) =>
  /,\s*null\s*\]\s*$/.test(bytes.toString('latin1', Math.max(start, end - 64), end))

/** By account and by kind and id, where the line stands that holds; each in the place of the first of its name. */
const holding = (bytes) => {
  const accounts = new Map()
  let start = bytes.indexOf(NEWLINE) + 1
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    const [kind, account, id] = nameOf(bytes, start, end)
    const isRecord = account !== undefined
    if (isRecord && kind === 'account' && isGone(bytes, start, end)) accounts.delete(account)
    else if (isRecord) {
      const records = accounts.get(account) ?? new Map()
      accounts.set(account, records)
      const name = `${kind} ${id}`
      if (isGone(bytes, start, end)) records.delete(name)
      else records.set(name, bytes.subarray(start, end))
    }
    start = end + 1
  }
  return accounts
}

const write = (path, header, accounts) => {
  const file = openSync(path, 'w', 0o600)
  let pieces = []
  let waiting = 0
  let written = 0
  const flush = () => {
    const bytes = Buffer.concat(pieces)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    written += bytes.length
    pieces = []
    waiting = 0
  }
  const add = (line) => {
    pieces.push(line, Buffer.from('\n'))
    waiting += line.length + 1
    if (waiting > PIECE_BYTES) flush()
  }
  add(header)
  for (const records of accounts.values()) for (const line of records.values()) add(line)
  add(Buffer.from('["end"]'))
  flush()
  fsyncSync(file)
  closeSync(file)
  return written
}

const { path, length, into } = workerData
const bytes = readWhole(path, length)
const header = bytes.subarray(0, bytes.indexOf(NEWLINE))
parentPort.postMessage({ written: write(into, header, holding(bytes)) })
