// @ts-check
import { isUtf8 } from 'node:buffer'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Parses large JSON bodies beside the event loop, which would stand still meanwhile. Base64 media are taken out on the
 * way and handed over as bytes, since a text of tens of megabytes would stop the event loop a second time.
 * Plain JavaScript, so that it runs from the sources as from the package.
 */

// Larger values are refused later anyway (core/request.ts), and to hand them over would block the event loop.
const { maxLevels, maxValues } = workerData

const DATA_URL_HEAD = /^data:[^,]{0,200};base64,/i
const MIN_EXTRACTED = 1024

// The journal shows the beginning of a text that is not plain Base64, up to this length (core/journal/redact.ts).
const MAX_SHOWN = 8_192
const PLAIN_BASE64 = /^[A-Za-z0-9+/=\r\n]{4,}$/

/** Where media can stand: all other texts stay whole, for the rules to see. */
const mediaKeys = new Set(workerData.mediaKeys)

/** @param {Uint8Array[]} chunks */
const parse = (chunks) => {
  const bytes = Buffer.concat(chunks)
  chunks.forEach(releaseMemory)
  if (!isUtf8(bytes)) throw new Error('The request body is not valid JSON: its text is not UTF-8')
  if (bytes[0] === 0 || bytes[1] === 0)
    throw new Error('The request body is not valid JSON: its text is UTF-16, not UTF-8')
  checkJsonLimits(bytes)
  const value = JSON.parse(bytes.toString('utf8'))
  /** @type {Attachments} */
  const attachments = []
  extractMedia(value, '', attachments)
  return { value, attachments }
}

/** @typedef {(Uint8Array<ArrayBuffer> | string)[]} Attachments */

/**
 * Extracts the media of a value, at all depths.
 * @param {unknown} value
 * @param {string} above the nearest key above the value; list items have the key of their list
 * @param {Attachments} attachments
 */
const extractMedia = (value, above, attachments) => {
  if (value === null || typeof value !== 'object') return
  const holder = /** @type {Record<string, unknown>} */ (value)
  for (const [key, inner] of Object.entries(holder)) {
    const nearest = Array.isArray(holder) ? above : key
    if (typeof inner !== 'string') extractMedia(inner, nearest, attachments)
    else if (mediaKeys.has(nearest)) holder[key] = attachmentRef(inner, attachments)
  }
}

/**
 * Reference in the place of a text (core/media/input.ts). A text that looks like one itself is taken out however
 * short it is, so that all that look so are from here.
 * @param {string} text
 * @param {Attachments} attachments
 */
const attachmentRef = (text, attachments) => {
  const head = DATA_URL_HEAD.exec(text)?.[0]
  if (head === undefined || (text.length < MIN_EXTRACTED && text[head.length] !== '@')) return text
  const data = text.slice(head.length)
  const beginning = data.slice(0, MAX_SHOWN)
  const number = attachments.push(decode(data)) - 1
  return `${head}@${number}:${data.length}:${PLAIN_BASE64.test(beginning) ? '' : beginning}`
}

/**
 * Gives the memory of joined chunks (body.ts) back to the system now rather than at a garbage collection.
 * @param {Uint8Array} chunk
 */
const releaseMemory = ({ buffer }) => {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

/**
 * Check of the JSON limits on the bytes, before they are parsed: a few megabytes of brackets would become hundreds as
 * values.
 * @param {Buffer} bytes
 */
const checkJsonLimits = (bytes) => {
  let levels = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (OPENING.includes(byte)) {
      levels += 1
      values += 1
    } else if (CLOSING.includes(byte)) levels -= 1
    else if (byte === COMMA) values += 1
    if (levels > maxLevels) throw new Error(`The request body must be at most ${maxLevels} levels deep`)
    if (values > maxValues) throw new Error(`The request body must be of at most ${maxValues} values`)
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

/**
 * As the data URLs of small bodies (resolve-media.ts).
 * @param {string} text
 */
const decode = (text) => {
  if (!/^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/.test(text))
    return 'it contains characters that are not valid Base64'
  const letters = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  if (letters.replace(/=+$/, '').length % 4 === 1)
    return 'its Base64 is cut short: no bytes have a text of that length'
  // A copy of its own, so that the memory can be handed over rather than copied.
  const bytes = new Uint8Array(Buffer.from(text, 'base64'))
  return bytes.length === 0 ? 'its Base64 is empty or cut short' : bytes
}

parentPort?.on('message', (message) => {
  if (message === 'end') return parentPort?.close()
  const { id, chunks } = message
  try {
    const { value, attachments } = parse(chunks)
    const transferred = attachments.flatMap((bytes) => (typeof bytes === 'string' ? [] : [bytes.buffer]))
    parentPort?.postMessage({ id, value, attachments }, transferred)
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
