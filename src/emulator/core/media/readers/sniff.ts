import type { MediaFormat } from '../input.js'
import { isMp3 } from './mp3.js'

/**
 * The format of some bytes by how they begin, never by a name or a label (§A image, gap A8);
 * `undefined` where it is none that a family of the service takes or refuses by name.
 */
export const sniff = (bytes: Uint8Array): MediaFormat | undefined =>
  signatures.find(([at, signature]) => textAt(bytes, at, signature.length) === signature)?.[2] ??
  riffFormat(bytes) ??
  boxFormat(bytes) ??
  (isBmp(bytes) ? 'bmp' : undefined) ??
  (isMp3(bytes) ? 'mp3' : undefined)

const signatures: readonly (readonly [at: number, signature: string, format: MediaFormat])[] = [
  [0, '\xff\xd8\xff', 'jpeg'],
  [0, '\x89PNG\r\n\x1a\n', 'png'],
  [0, 'GIF87a', 'gif'],
  [0, 'GIF89a', 'gif'],
  [0, 'II*\0', 'tiff'],
  [0, 'MM\0*', 'tiff'],
  [0, 'II+\0', 'tiff'],
  [0, 'MM\0+', 'tiff'],
  [0, 'ID3', 'mp3'],
]

const riffFormat = (bytes: Uint8Array): MediaFormat | undefined => {
  if (textAt(bytes, 0, 4) !== 'RIFF') return undefined
  const form = textAt(bytes, 8, 4)
  if (form === 'WEBP') return 'webp'
  return form === 'WAVE' ? 'wav' : undefined
}

/** What the first box of a file of boxes says: MP4, QuickTime and the HEIF pictures have this in common. */
const boxFormat = (bytes: Uint8Array): MediaFormat | undefined => {
  const type = textAt(bytes, 4, 4)
  // QuickTime files older than MP4 have no ftyp box and begin with whatever they hold.
  if (['moov', 'mdat', 'wide', 'pnot'].includes(type)) return 'mov'
  if (type !== 'ftyp') return undefined
  const major = textAt(bytes, 8, 4)
  return formatOfBrand[major] ?? (major in pictureContainers ? pictureFormat(bytes) : 'mp4')
}

const formatOfBrand: Readonly<Record<string, MediaFormat>> = {
  'qt  ': 'mov',
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
  avif: 'avif',
  avis: 'avif',
}

const pictureContainers = { mif1: true, mif2: true, msf1: true, miaf: true }

// A general HEIF brand says nothing of the codec, so the compatible brands decide whether it is an AVIF in disguise.
const pictureFormat = (bytes: Uint8Array): MediaFormat =>
  /^(?:.{4})*?(avif|avis)/s.test(textAt(bytes, 16, 64)) ? 'avif' : 'heif'

const BMP_HEADER_SIZES = [12, 16, 40, 52, 56, 64, 108, 124]

const isBmp = (bytes: Uint8Array): boolean =>
  textAt(bytes, 0, 2) === 'BM' &&
  BMP_HEADER_SIZES.includes(bytes[14] ?? 0) &&
  textAt(bytes, 15, 3) === '\0\0\0'

/** Some bytes as Latin-1, fewer where the file is shorter. */
const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** What is wrong with bytes of no known format, as a clause. It names formats that people send by mistake. */
export const foreignFormat = (bytes: Uint8Array): string => {
  if (bytes.byteLength === 0) return 'the file is empty'
  const first = bytes.subarray(0, 64)
  const beginning = String.fromCharCode(...first)
  const known = signaturesOfForeign.find(([at, signature]) => beginning.startsWith(signature, at))
  const name = known?.[2] ?? (isText(first) ? textName(beginning.trimStart().toLowerCase()) : undefined)
  return name === undefined
    ? 'the file is in no known format'
    : `the file is ${name}, which is not a format that is read here`
}

const signaturesOfForeign: readonly (readonly [at: number, signature: string, name: string])[] = [
  [0, '\x1a\x45\xdf\xa3', 'a WebM or Matroska video'],
  [8, 'AVI ', 'an AVI video'],
  [0, 'FLV\x01', 'a Flash video'],
  [0, 'OggS', 'an Ogg file'],
  [0, 'fLaC', 'FLAC sound'],
  [0, '\xff\xf1', 'AAC sound without a container'],
  [0, '\xff\xf9', 'AAC sound without a container'],
  [0, '%PDF', 'a PDF'],
  [0, 'PK\x03\x04', 'a ZIP archive'],
  [0, '\x1f\x8b', 'packed with gzip'],
]

const textName = (beginning: string): string => {
  if (/^(<\?xml[^>]*>\s*)?<svg/.test(beginning)) return 'an SVG'
  if (/^<(!doctype|html)/.test(beginning)) return 'an HTML page'
  return /^[{[]/.test(beginning) ? 'JSON' : 'text'
}

// Line breaks and tabs are the only control characters of text.
const isText = (bytes: Uint8Array): boolean => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return [...text].every((letter) => letter >= ' ' || '\t\n\r\f'.includes(letter))
  } catch {
    return false
  }
}
