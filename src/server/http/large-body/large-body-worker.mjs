// @ts-check
/**
 * Parses large JSON bodies beside the event loop, which would stand still meanwhile. Base64 media are taken out on the
 * way and handed over as bytes, since a text of tens of megabytes would stop the event loop a second time.
 * Plain JavaScript, so that it runs from the sources as from the package.
 */
import { isUtf8 } from 'node:buffer'
import { parentPort } from 'node:worker_threads'

// What is refused later anyway (core/request/intricacy.ts), and would stop the event loop while it is handed over.
const MOST_LEVELS = 100
const MOST_VALUES = 10_000

const HEAD = /^data:[^,]{0,200};base64,/i
const LEAST = 1024

/** @param {Uint8Array[]} chunks */
const parse = (chunks) => {
  /** @type {(Uint8Array<ArrayBuffer> | string)[]} */
  const attachments = []
  const bytes = Buffer.concat(chunks)
  chunks.forEach(giveBack)
  if (!isUtf8(bytes)) throw new Error('The request body is not valid JSON: its text is not UTF-8')
  refuseIntricate(bytes)
  const value = JSON.parse(bytes.toString('utf8'), (_, inner) => {
    const head = typeof inner === 'string' && inner.length >= LEAST ? HEAD.exec(inner)?.[0] : undefined
    if (head === undefined) return inner
    attachments.push(decode(inner.slice(head.length)))
    return `${head}@${attachments.length - 1}:${inner.length - head.length}`
  })
  return { value, attachments }
}

/**
 * What joined.ts has joined goes back to the system now, and not when somebody looks for what can go.
 * @param {Uint8Array} chunk
 */
const giveBack = ({ buffer }) => {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0)
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPENING, CLOSING] = [
  [0x5b, 0x7b],
  [0x5d, 0x7d],
]

/**
 * Counts what stands between the texts, before anything is made of it: a few megabytes of brackets would become
 * hundreds as values.
 * @param {Buffer} bytes
 */
const refuseIntricate = (bytes) => {
  let [levels, values] = [0, 1]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (OPENING.includes(byte)) {
      levels += 1
      values += 1
    } else if (CLOSING.includes(byte)) levels -= 1
    else if (byte === COMMA) values += 1
    if (levels > MOST_LEVELS) throw new Error(`The request body must be at most ${MOST_LEVELS} levels deep`)
    if (values > MOST_VALUES) throw new Error(`The request body must be of at most ${MOST_VALUES} values`)
  }
}

/**
 * Where the text that begins at `from` ends.
 * @param {Buffer} bytes
 * @param {number} from
 */
const endOfText = (bytes, from) => {
  for (let end = bytes.indexOf(QUOTE, from + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end - 1
    while (bytes[before] === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return bytes.length
}

/** @param {string} text */
const decode = (text) => {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
    return 'its Base64 holds characters that Base64 does not have'
  // A copy of its own, so that the memory can be handed over rather than copied.
  return new Uint8Array(Buffer.from(text, 'base64'))
}

parentPort?.on('message', (message) => {
  if (message === 'end') return parentPort?.close()
  const { id, chunks } = message
  try {
    const { value, attachments } = parse(chunks)
    const handedOver = attachments.flatMap((bytes) => (typeof bytes === 'string' ? [] : [bytes.buffer]))
    parentPort?.postMessage({ id, value, attachments }, handedOver)
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
