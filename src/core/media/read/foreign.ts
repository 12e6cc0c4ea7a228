/**
 * What bytes of no known format seem to be, as it can stand behind "the file is …": the names of formats that people
 * send by mistake, or that it is text.
 */
export const foreignName = (bytes: Uint8Array): string => {
  if (bytes.byteLength === 0) return 'empty'
  const first = bytes.subarray(0, 64)
  const beginning = String.fromCharCode(...first)
  const known = signatures.find(([at, signature]) => beginning.startsWith(signature, at))
  return known?.[2] ?? (isText(first) ? textName(beginning.trimStart().toLowerCase()) : 'in no known format')
}

const signatures: readonly (readonly [at: number, signature: string, name: string])[] = [
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
