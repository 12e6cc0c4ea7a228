import type { IncomingMessage } from 'node:http'

/** How much of an answer is read; the rest of a longer one is not waited for. */
const MOST_ANSWER_BYTES = 64 * 1024

/** Reads an answer's text up to the bound. Not called back where the answer breaks off. */
export const readAnswer = (response: IncomingMessage, done: (text: string) => void): void => {
  const chunks: Buffer[] = []
  let size = 0
  const finish = () => done(Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8'))
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size <= MOST_ANSWER_BYTES) return
    finish()
    response.destroy()
  })
  response.once('end', finish)
  // Told of by the request's own close.
  response.on('error', () => {})
}
