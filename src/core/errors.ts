import type { z } from 'zod'

interface EmulatorErrorOptions {
  /** What to do about it, one sentence. */
  readonly hint?: string
  /** A stable name for programs: `port-taken`, `ffmpeg-missing`. */
  readonly code?: string
  readonly cause?: unknown
  /** The actual state when a wait timed out, as data. */
  readonly found?: unknown
}

/**
 * Error of the emulator or its set-up, as opposed to an error that the service itself would answer.
 * The message says what was expected and what was found, and on its last line what to do: some test frameworks show the
 * message alone, others the stack.
 */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError'
  /** The message without the hint. */
  readonly sentence: string
  readonly hint: string | undefined
  readonly code: string
  /** What there was instead, as data; undefined where the message says it all. */
  readonly found: unknown

  constructor(message: string, options: EmulatorErrorOptions = {}) {
    super(
      options.hint ? `${message}\n${options.hint}` : message,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.sentence = message
    this.hint = options.hint
    this.code = options.code ?? 'emulator-error'
    this.found = options.found
  }
}

/** Whether an error says that the shared store cannot be used for a while. */
export const isStoreError = (error: unknown): boolean =>
  error instanceof EmulatorError && error.code.startsWith('store-')

/** Client disconnected: the connection closed before the request body was complete, so nothing can be answered. */
export class ClientDisconnected extends Error {}

/** Nearest name by Levenshtein distance; undefined: none is near. */
export const nearest = (written: string, names: readonly string[]): string | undefined => {
  const maxDistance = Math.max(2, written.length / 3)
  const ranked = names
    // The distance is at least the difference in length. Without this a name of megabytes would be compared letter by letter.
    .filter((name) => Math.abs(name.length - written.length) <= maxDistance)
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= maxDistance ? best.name : undefined
}

// Levenshtein distance: how many letters must be added, removed or changed.
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}

/** Suggestion for a misspelt name: the name that was probably meant; undefined when none is near. */
export const suggest = (found: string, possible: readonly string[]): string | undefined => {
  // `prob` is the beginning of `probability`, though fewer letters differ from `from`.
  const begun = found.length > 2 ? possible.find((name) => name.startsWith(found)) : undefined
  return begun ?? nearest(found, possible)
}

/** The end of a message about an unknown name: `: did you mean …?`, or what is possible. */
export const suggestion = (found: string, possible: readonly string[]): string => {
  const meant = suggest(found, possible)
  if (meant === undefined) return possible.length === 0 ? '' : `: possible are ${possible.join(', ')}`
  const others = possible.filter((name) => name !== meant)
  return `: did you mean ${meant}?${others.length === 0 ? '' : ` Also possible: ${others.join(', ')}`}`
}

/** Message about an unknown key. */
export const unknownKey = (found: string, possible: readonly string[]): string =>
  `there is no key ${JSON.stringify(found)} here${suggestion(found, possible)}`

type Schema = z.core.$ZodType

/** The keys that a zod schema knows at a path of a document, of all shapes that can stand there. */
export const keysAt = (schema: Schema, path: readonly PropertyKey[]): string[] => {
  const schemas = path.reduce<readonly Schema[]>(
    (found, key) => found.flatMap((one) => schemasAtKey(one, key)),
    unwrapped(schema),
  )
  return [...new Set(schemas.flatMap((one) => Object.keys(shapeOf(one) ?? {})))]
}

const schemasAtKey = (schema: Schema, key: PropertyKey): readonly Schema[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') return unwrapped(def.element)
  const inner = shapeOf(schema)?.[String(key)]
  return inner === undefined ? [] : unwrapped(inner)
}

const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'object' ? def.shape : undefined
}

/** A schema without what makes it optional, and each option of a union. */
const unwrapped = (schema: Schema): readonly Schema[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'default':
    case 'optional':
    case 'nullable':
      return unwrapped(def.innerType)
    case 'union':
      return def.options.flatMap(unwrapped)
    default:
      return [schema]
  }
}

/** Error of the control API: an HTTP status, a stable code, a sentence, and what to do instead. */
export class ControlError extends EmulatorError {
  constructor(
    readonly status: number,
    code: string,
    message: string,
    hint = '',
    /** The actual state when a wait timed out, as data. */
    found?: unknown,
  ) {
    super(message, { code, hint, found })
  }
}

export const controlErrorBody = (error: EmulatorError) => ({
  error: {
    code: error.code,
    message: error.sentence,
    hint: error.hint ?? '',
    ...(error.found !== undefined ? { found: error.found } : {}),
  },
})

interface SystemErrorText {
  readonly code: string
  readonly says: string
  readonly hint: string
}

const diskFull: SystemErrorText = {
  code: 'disk-full',
  says: 'the disk is full',
  hint: 'Make room, or name another folder with the setting mediaFolder.',
}
const notWritable: SystemErrorText = {
  code: 'folder-unusable',
  says: 'nothing can be written there',
  hint: 'Let this user write there, or name another folder with the setting mediaFolder.',
}
const fileInTheWay: SystemErrorText = {
  code: 'folder-unusable',
  says: 'a file is where a folder should be',
  hint: 'Remove it, or name another folder with the setting mediaFolder.',
}
const noHandles: SystemErrorText = {
  code: 'out-of-handles',
  says: 'there are no file handles left',
  hint: 'Allow more (ulimit -n), or fewer connections (setting maxConnections).',
}

const folderErrors: Readonly<Record<string, SystemErrorText>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EROFS: notWritable,
  EACCES: notWritable,
  EPERM: notWritable,
  ENOTDIR: fileInTheWay,
  EEXIST: fileInTheWay,
  EMFILE: noHandles,
  ENFILE: noHandles,
}

/**
 * System error as an EmulatorError: what could not be done (`A picture could not be kept`), why, and what to do. Any other
 * error is returned as it is.
 */
export const explainSystemError = (what: string, error: unknown): unknown => {
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  if (error instanceof EmulatorError || syscall === undefined) return error
  const known = folderErrors[code]
  const why = known?.says ?? `${code} from ${syscall}`
  return new EmulatorError(`${what}: ${why}${path === undefined ? '' : ` (${code}, ${path})`}.`, {
    code: known?.code ?? 'file-trouble',
    hint: known?.hint ?? 'Look at the folder, or name another one with the setting mediaFolder.',
    cause: error,
  })
}

const fileErrorReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder is not there',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a part of its path is no folder',
  EMFILE: 'the process has no file handles left',
  ENFILE: 'the machine has no file handles left',
  EIO: 'the device failed',
}

/** Reason of a file system error, in words that follow a colon. */
export const systemReason = (cause: unknown): string => {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return fileErrorReasons[code] ?? message
}

/** Reason why a file cannot be read, as a sentence. */
export const whyUnreadable = (path: string, error: unknown): string => {
  const { code, message = String(error) } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${path}.`
  if (code === 'EISDIR') return `${path} is a folder; a file is needed.`
  return `${path} cannot be read: ${message}.`
}

/** Whether an error, or what is behind it, is that of a full disk. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException & { cause?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}

/** Whether the system could not give what was asked of it, since too much of it is in use. */
export const isExhausted = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '')
