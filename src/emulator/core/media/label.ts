import type { MediaFacts, MediaFormat, MediaRef, ResolvedMedia } from './input.js'

/** Formats by the MIME types that are in use for them. Another type is judged by its kind alone. */
const formatsOf: Readonly<Record<string, readonly MediaFormat[]>> = {
  'image/jpeg': ['jpeg'],
  'image/jpg': ['jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/bmp': ['bmp'],
  'image/tiff': ['tiff'],
  'image/gif': ['gif'],
  'image/heic': ['heic', 'heif'],
  'image/heif': ['heic', 'heif'],
  'image/avif': ['avif'],
  'video/mp4': ['mp4'],
  'video/quicktime': ['mov'],
  'audio/wav': ['wav'],
  'audio/x-wav': ['wav'],
  'audio/mpeg': ['mp3'],
  'audio/mp3': ['mp3'],
}

/** Notes on data URLs whose MIME type contradicts their bytes: the bytes count here (gap A8), and a service may refuse them. */
export const labelNotes = (
  mediaRefs: readonly MediaRef[],
  resolvedMedia: (url: string) => ResolvedMedia | undefined,
): string[] =>
  mediaRefs.flatMap(({ field, url }) => {
    const label = labelOf(url)
    const medium = label === undefined ? undefined : resolvedMedia(url)
    if (label === undefined || medium?.state !== 'read' || fits(label, medium.facts)) return []
    return [
      `${field} is labelled ${label} and is ${medium.facts.format} by its bytes, which count; a service may refuse it`,
    ]
  })

/** MIME type of a data URL, in small letters, or undefined where it names none, or one that says nothing. */
const labelOf = (url: string): string | undefined => {
  const label = /^data:([\w.+-]{1,40}\/[\w.+-]{1,60})[;,]/i.exec(url)?.[1]?.toLowerCase()
  return label === 'application/octet-stream' ? undefined : label
}

const fits = (label: string, { kind, format }: MediaFacts): boolean =>
  formatsOf[label]?.includes(format) ?? label.startsWith(`${kind}/`)
