import { hash } from '../hash.js'
import { textOfPng } from './readers/image.js'
import { boxesIn, Span, unlessDamaged } from './readers/span.js'
import { type FileSpec, videoIn } from './spec.js'

/**
 * Mark: which result a file is, written into the file without a pixel or a sample being touched. Two results that look alike
 * are two files for it, with other lengths and ETags, and a test can tell whose file a client has kept.
 */
export interface Mark {
  /** The id of the task, or of the request where there is no task. */
  readonly task: string
  readonly model: string
  readonly seed: number
  /** From 0, among the media of the task: the number in the URL of the result. */
  readonly index: number
  /** SHA-256 of the prompt, in hex: a prompt may be private, and files are passed on. */
  readonly prompt: string
}

/** The mark of the file of a spec. */
export const markOf = (spec: FileSpec): Mark => {
  const { seed, card } = videoIn(spec)
  const index = spec.kind === 'last-frame' ? 1 : Number(card.index?.split('/')[0] ?? 1) - 1
  return { task: card.id, model: card.model, seed, index, prompt: hash('sha256', card.prompt, 'hex') }
}

// Of equally long ids: files of two tasks have other lengths, so that a client that compares no more than these is not lucky.
const MAX_PADDING = 1024

/** A mark as text in ASCII, as it stands in a file. */
export const textOfMark = (mark: Mark): string => {
  const json = JSON.stringify(mark).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return json + ' '.repeat(Number.parseInt(hash('sha256', json, 'hex').slice(0, 4), 16) % MAX_PADDING)
}

/** The mark of a file; undefined where it has none, because it was not made here. Never raises. */
export const readMark = (file: Uint8Array): Mark | undefined => {
  const text = isPng(file) ? textOfPng(file, MARK_KEYWORD) : textOfBox(file)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Mark)
  } catch {
    return undefined
  }
}

export const isPng = (file: Uint8Array): boolean =>
  Buffer.from(file.subarray(1, 4)).toString('latin1') === 'PNG'

/** Keyword of the text chunk of a PNG. */
export const MARK_KEYWORD = 'Backlot'

/** User type of the box of an MP4, in hex: what tells it from the boxes of other programs. */
export const MARK_USER_TYPE = '0b6f2d4c7e5a4b1d9c3ebac6107d3a41'

const textOfBox = (file: Uint8Array): string | undefined => {
  const found = unlessDamaged(() => {
    for (const { type, content } of boxesIn(new Span(file, 'MP4'))) {
      const bytes = Buffer.from(content.bytes.subarray(0, type === 'uuid' ? undefined : 0))
      if (bytes.toString('hex', 0, 16) === MARK_USER_TYPE) return bytes.toString('latin1', 16)
    }
    return undefined
  })
  return typeof found === 'string' ? found : undefined
}
