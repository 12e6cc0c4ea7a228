import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
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

const textOf = (mark: Mark): string => {
  const json = JSON.stringify(mark).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return json + ' '.repeat(Number.parseInt(hash('sha256', json, 'hex').slice(0, 4), 16) % MAX_PADDING)
}

/**
 * A file with its mark: of a PNG, a text chunk before the chunk that ends it; of an MP4, a box behind its last one.
 * @param file as it was rendered
 */
export const withMark = (file: Buffer, mark: Mark): Buffer => {
  const text = textOf(mark)
  if (!isPng(file)) return Buffer.concat([file, boxOf(text)])
  const end = file.length - END_CHUNK_BYTES
  return Buffer.concat([file.subarray(0, end), chunkOf(text), file.subarray(end)])
}

/** The mark of a file; undefined where it has none, because it was not made here. Never raises. */
export const readMark = (file: Uint8Array): Mark | undefined => {
  const text = isPng(file) ? textOfPng(file, KEYWORD) : textOfBox(file)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Mark)
  } catch {
    return undefined
  }
}

const isPng = (file: Uint8Array): boolean => Buffer.from(file.subarray(1, 4)).toString('latin1') === 'PNG'

const KEYWORD = 'Backlot'

/** IEND: its length, which is 0, its type and its checksum. */
const END_CHUNK_BYTES = 12

/** A chunk of text (PNG, third edition, §11.3.3.2): length, type, keyword, a zero, Latin-1, CRC-32 of all but the length. */
const chunkOf = (text: string): Buffer => {
  const content = Buffer.from(`tEXt${KEYWORD}\0${text}`, 'latin1')
  return Buffer.concat([u32(content.length - 4), content, u32(crc32(content))])
}

// What tells this box from those of other programs.
const USER_TYPE = Buffer.from('0b6f2d4c7e5a4b1d9c3ebac6107d3a41', 'hex')

/** A box of one's own (ISO/IEC 14496-12 §4.2): length, type, user type, text. */
const boxOf = (text: string): Buffer =>
  Buffer.concat([u32(8 + USER_TYPE.length + text.length), Buffer.from('uuid'), USER_TYPE, Buffer.from(text)])

const textOfBox = (file: Uint8Array): string | undefined => {
  const found = unlessDamaged(() => {
    for (const { type, content } of boxesIn(new Span(file, 'MP4'))) {
      const bytes = Buffer.from(content.bytes)
      if (type === 'uuid' && bytes.subarray(0, 16).equals(USER_TYPE)) return bytes.toString('latin1', 16)
    }
    return undefined
  })
  return typeof found === 'string' ? found : undefined
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
