import type { MediaFormat } from '../input.js'
import { beginOfMp3, isMp3 } from './mp3.js'
import { boxesIn, partsOfFile, Span, unlessDamaged } from './span.js'

/**
 * The format of some bytes by how they begin, never by a name or a label (§A image, gap A8);
 * `undefined` where it is none that a family of the service takes or refuses by name.
 */
export const sniff = (bytes: Uint8Array): MediaFormat | undefined =>
  signatures.find(([at, signature]) => textAt(bytes, at, signature.length) === signature)?.[2] ??
  riffFormat(bytes) ??
  boxFormat(bytes) ??
  (isBmp(bytes) ? 'bmp' : undefined) ??
  (isMp3(bytes) || (!isForeign(bytes) && beginOfMp3(bytes) !== undefined) ? 'mp3' : undefined)

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
  // With sizes of 64 bits it is RF64, or BW64 as broadcasters write it.
  if (!['RIFF', 'RF64', 'BW64'].includes(textAt(bytes, 0, 4))) return undefined
  const form = textAt(bytes, 8, 4)
  if (form === 'WEBP') return 'webp'
  return form === 'WAVE' ? 'wav' : undefined
}

/**
 * What the boxes of a file say: MP4, QuickTime and the HEIF pictures have them in common. The one that names the format is the
 * first as a rule; programs put a free or a private one in front of it.
 */
const boxFormat = (bytes: Uint8Array): MediaFormat | undefined => {
  // QuickTime files older than MP4 have no ftyp box and begin with whatever they hold.
  if (['moov', 'mdat', 'wide', 'pnot'].includes(textAt(bytes, 4, 4))) return 'mov'
  const file = new Span(bytes, 'file')
  for (let at = 0, boxes = 0; at + 8 <= file.length && boxes < MAX_BOXES_IN_FRONT; boxes++) {
    const type = file.fourCC(at + 4)
    if (type === 'ftyp') return formatOfFileType(bytes.subarray(at), bytes)
    if (type === 'moov') return 'mov'
    const size = file.u32be(at)
    const isLong = size === 1 && at + 16 <= file.length
    if ((size < 8 && !isLong) || !/^[\x20-\x7e]{4}$/.test(type)) return undefined
    at += isLong ? Math.max(16, file.u64be(at + 8)) : size
  }
  return undefined
}

const MAX_BOXES_IN_FRONT = 64

/** @param fileType from the ftyp box on */
const formatOfFileType = (fileType: Uint8Array, file: Uint8Array): MediaFormat => {
  const major = textAt(fileType, 8, 4)
  const known = formatOfBrand[major]
  if (known !== undefined) return known
  if (major in pictureContainers) return pictureFormat(fileType)
  const others = brandsBehind(fileType)
  if (!others.some((brand) => pictureBrands.has(brand)) || !isPicture(file)) return 'mp4'
  return (
    others.map((brand) => formatOfBrand[brand]).find((format) => format === 'heic') ?? pictureFormat(fileType)
  )
}

/** The brands that a file is compatible with, behind its major one and its version. */
const brandsBehind = (fileType: Uint8Array): readonly string[] => {
  const bytes = new DataView(fileType.buffer, fileType.byteOffset, fileType.byteLength).getUint32(0)
  return textAt(fileType, 16, Math.min(bytes - 16, MAX_BRAND_BYTES)).match(/.{4}/gs) ?? []
}

const MAX_BRAND_BYTES = 400

/** Whether a file holds pictures as items (a meta box whose handler is pict) and no film. */
const isPicture = (file: Uint8Array): boolean => {
  const boxes = unlessDamaged(() => {
    const all = partsOfFile(new Span(file, 'file'))
    const meta = all.get('meta')
    if (meta === undefined || all.has('moov')) return []
    return [...boxesIn(meta.slice(4))].filter(
      ({ type, content }) => type === 'hdlr' && content.fourCC(8) === 'pict',
    )
  })
  return Array.isArray(boxes) && boxes.length > 0
}

const formatOfBrand: Readonly<Record<string, MediaFormat>> = {
  'qt  ': 'mov',
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
  hevm: 'heic',
  hevs: 'heic',
  avif: 'avif',
  avis: 'avif',
}

const pictureContainers = { mif1: true, mif2: true, msf1: true, miaf: true }

const pictureBrands = new Set([
  ...Object.keys(pictureContainers),
  ...Object.keys(formatOfBrand).filter((brand) => formatOfBrand[brand] !== 'mov'),
])

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
  const name =
    foreignName(bytes) ?? (isText(first) ? textName(beginning.trimStart().toLowerCase()) : undefined)
  return name === undefined
    ? 'the file is in no known format'
    : `the file is ${name}, which is not a format that is read here`
}

const foreignName = (bytes: Uint8Array): string | undefined =>
  signaturesOfForeign.find(([at, signature]) => textAt(bytes, at, signature.length) === signature)?.[2]

// Films of other formats have MP3 frames in them.
const isForeign = (bytes: Uint8Array): boolean => foreignName(bytes) !== undefined

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
