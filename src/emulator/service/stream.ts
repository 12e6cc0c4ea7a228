import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Answered } from '../core/journal/entry.js'
import type { Reply, ReplyStream } from '../core/model/call.js'
import { isBodiless } from '../profile/bodiless.js'
import { bodyOf } from '../profile/forward.js'
import { writeHead } from './files.js'

/** As much of a body as the journal keeps of it. */
const KEPT_BYTES = 512 * 1024

/** What became of a reply that was sent as it came. */
export interface Streamed {
  /** The body as the journal keeps it. */
  readonly body: unknown
  readonly answered: Answered
  /** What went wrong, as a sentence without a full stop. Undefined where all of it was sent. */
  readonly warning?: string
}

/**
 * Sends a reply whose body another host still sends, part by part as they come. Where the host breaks off, so does the answer; a
 * client that leaves ends the call to the host.
 * @param record called once it is known how the answer ends, before the client can know it
 */
export const sendStream = async (
  response: ServerResponse,
  reply: Reply,
  stream: ReplyStream,
  requestId: string,
  record: (streamed: Streamed) => void,
): Promise<void> => {
  const kept = new KeptBody(reply)
  writeHead(response, reply, requestId, undefined)
  response.flushHeaders()
  const length = Number(reply.headers?.['Content-Length'] ?? Number.NaN)
  let isRecorded = false
  const end = (outcome: Outcome): void => {
    if (!isRecorded) record(kept.streamed(outcome))
    isRecorded = true
  }
  try {
    for await (const chunk of isBodiless(reply.status) ? [] : stream.chunks) {
      kept.add(chunk)
      // With the last byte, the client has all of it.
      if (kept.bytes === length) end({})
      await write(response, chunk)
      if (response.closed) break
    }
  } catch (error) {
    if (!response.closed) {
      end({ brokenOff: (error as Error).message })
      return void response.destroy()
    }
  }
  end({ hasLeft: response.closed })
  response.end()
}

/** Resolves when more can be written, or the client has left. */
const write = async (response: ServerResponse, chunk: Uint8Array): Promise<void> => {
  if (response.closed || response.write(chunk)) return
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(
    () => {},
  )
  over.abort()
}

interface Outcome {
  readonly brokenOff?: string
  readonly hasLeft?: boolean
}

/** The beginning of a body, and how long all of it is. */
class KeptBody {
  readonly #type: string | undefined
  readonly #chunks: Uint8Array[] = []
  #kept = 0
  bytes = 0

  constructor({ headers }: Reply) {
    this.#type = headers?.['Content-Type']
  }

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length
    const part = chunk.subarray(0, KEPT_BYTES - this.#kept)
    if (part.length === 0) return
    this.#chunks.push(part)
    this.#kept += part.length
  }

  streamed({ brokenOff, hasLeft }: Outcome): Streamed {
    const { body, text } = bodyOf(Buffer.concat(this.#chunks), this.#type)
    const shown = {
      body,
      answered: { bytes: this.bytes, ...(body === undefined && text !== undefined ? { text } : {}) },
    }
    if (brokenOff !== undefined) {
      const warning = `The answer of the host broke off after ${this.bytes} bytes: ${brokenOff}`
      return { ...shown, answered: { ...shown.answered, broken: 'cut' }, warning }
    }
    if (hasLeft === true) {
      const warning = `The client left after ${this.bytes} bytes of the answer, and the call to the host was ended`
      return { ...shown, answered: { ...shown.answered, hasLeft: true }, warning }
    }
    if (this.bytes <= KEPT_BYTES) return shown
    return {
      ...shown,
      warning: `The answer has ${this.bytes} bytes, and the journal keeps the first ${KEPT_BYTES}`,
    }
  }
}
