import zlib from 'node:zlib'
import { isPng, MARK_KEYWORD, MARK_USER_TYPE, type Mark, textOfMark } from '../../core/media/mark.js'

// Looked up here: an import by its name would fail on an older Node before the package can say which one it needs.
const { crc32 } = zlib

/**
 * A file with its mark: of a PNG, a text chunk before the chunk that ends it; of an MP4, a box behind its last one.
 * @param file as it was rendered
 */
export const withMark = (file: Buffer, mark: Mark): Buffer => {
  const text = textOfMark(mark)
  if (!isPng(file)) return Buffer.concat([file, boxOf(text)])
  const end = file.length - END_CHUNK_BYTES
  return Buffer.concat([file.subarray(0, end), chunkOf(text), file.subarray(end)])
}

/** IEND: its length, which is 0, its type and its checksum. */
const END_CHUNK_BYTES = 12

/** A chunk of text (PNG, third edition, §11.3.3.2): length, type, keyword, a zero, Latin-1, CRC-32 of all but the length. */
const chunkOf = (text: string): Buffer => {
  const content = Buffer.from(`tEXt${MARK_KEYWORD}\0${text}`, 'latin1')
  return Buffer.concat([u32(content.length - 4), content, u32(crc32(content))])
}

/** A box of one's own (ISO/IEC 14496-12 §4.2): length, type, user type, text. */
const boxOf = (text: string): Buffer => {
  const userType = Buffer.from(MARK_USER_TYPE, 'hex')
  const content = [Buffer.from('uuid'), userType, Buffer.from(text)]
  return Buffer.concat([u32(8 + userType.length + text.length), ...content])
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
