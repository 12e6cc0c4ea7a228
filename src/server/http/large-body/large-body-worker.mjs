// @ts-check
/**
 * Parses large JSON bodies beside the event loop, which would stand still meanwhile. Base64 media are taken out on the
 * way and handed over as bytes, since a text of tens of megabytes would stop the event loop a second time.
 * Plain JavaScript, so that it runs from the sources as from the package.
 */
import { parentPort } from 'node:worker_threads'

const HEAD = /^data:[^,]{0,200};base64,/i
const LEAST = 1024

/** @param {Uint8Array[]} chunks */
const parse = (chunks) => {
  /** @type {(Uint8Array<ArrayBuffer> | string)[]} */
  const attachments = []
  const value = JSON.parse(Buffer.concat(chunks).toString('utf8'), (_, inner) => {
    const head = typeof inner === 'string' && inner.length >= LEAST ? HEAD.exec(inner)?.[0] : undefined
    if (head === undefined) return inner
    attachments.push(decode(inner.slice(head.length)))
    return `${head}@${attachments.length - 1}:${inner.length - head.length}`
  })
  return { value, attachments }
}

/** @param {string} text */
const decode = (text) => {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
    return 'its Base64 holds characters that Base64 does not have'
  // A copy of its own, so that the memory can be handed over rather than copied.
  return new Uint8Array(Buffer.from(text, 'base64'))
}

parentPort?.on('message', ({ id, chunks }) => {
  try {
    const { value, attachments } = parse(chunks)
    const handedOver = attachments.flatMap((bytes) => (typeof bytes === 'string' ? [] : [bytes.buffer]))
    parentPort?.postMessage({ id, value, attachments }, handedOver)
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
