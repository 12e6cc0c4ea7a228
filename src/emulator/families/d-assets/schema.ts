import type { FormShape } from '../../core/contract.js'
import type { MediaFormat, MediaKind } from '../../core/media/input.js'
import type { Body, FormFile } from '../../core/model/call.js'
import type { Settings } from '../../core/settings.js'

/** An upload whose form holds a file. */
export interface Upload {
  readonly file: FormFile
  /** Undefined where the form names none, or an empty one. */
  readonly groupId?: string
}

const FILE = 'file'
const GROUP = 'group_id'

/** Upload that a form holds, or undefined where it has no file. */
export const uploadOf = (body: Body): Upload | undefined => {
  if (body.kind !== 'form') return undefined
  const [file] = body.files
  const groupId = body.fields[GROUP] || undefined
  if (file === undefined) return undefined
  return { file: { ...file, name: lastPartOf(file.name) }, ...(groupId === undefined ? {} : { groupId }) }
}

/** The name of a file without its folders, of either system (gap N24). */
const lastPartOf = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)

/** Whether a form sends the file as a text: without a name, no part is a file. */
export const isFileUnnamed = (body: Body): boolean =>
  body.kind === 'form' && body.files.length === 0 && Object.hasOwn(body.fields, FILE)

/** The fields of a form that are ignored (gap X11): unknown ones, and a text in the name of the file beside the file itself. */
export const ignoredFields = (body: Body): string[] => {
  if (body.kind !== 'form') return []
  const known = body.files.length === 0 ? [GROUP, FILE] : [GROUP]
  return Object.keys(body.fields).filter((name) => !known.includes(name))
}

/** The formats that are taken, by the kind of medium (gap D7). */
const formats: Readonly<Record<MediaKind, readonly MediaFormat[]>> = {
  // HEIF is what a HEIC calls itself under its general brand.
  image: ['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif'],
  video: ['mp4', 'mov'],
  audio: ['wav', 'mp3'],
}

/** The kind of a file whose format is taken. Damaged files have one too. */
export const kindOf = ({ format }: FormFile): MediaKind | undefined =>
  (Object.keys(formats) as MediaKind[]).find((kind) => format !== undefined && formats[kind].includes(format))

/** The bytes that a file of a kind may have, and the setting that says so (gap D7, Z7). */
export const maxBytes = (kind: MediaKind, settings: Settings) => {
  const setting = ({ image: 'assetImageBytes', video: 'assetVideoBytes', audio: 'assetAudioBytes' } as const)[
    kind
  ]
  return { bytes: settings[setting], setting }
}

/** A file is streamed before its kind is known: up to what the kind with the largest files may have. */
export const form: FormShape = {
  fileField: FILE,
  maxBytes: (settings) =>
    (Object.keys(formats) as MediaKind[])
      .map((kind) => maxBytes(kind, settings))
      .reduce((largest, one) => (one.bytes > largest.bytes ? one : largest)),
}
