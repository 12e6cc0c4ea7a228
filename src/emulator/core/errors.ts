import type { EmulatorErrorCode } from '../../generated/names.js'

interface EmulatorErrorOptions {
  /** What to do about it, one sentence. */
  readonly hint?: string
  /** A stable name for programs: `port-taken`, `ffmpeg-missing`. */
  readonly code?: EmulatorErrorCode
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
  /** What to do about it, or undefined where the message says it all. */
  readonly hint: string | undefined
  /** A stable name for programs; an emulator of another version may have others. */
  readonly code: EmulatorErrorCode
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

/** Error of the control API: an HTTP status, a stable code, a sentence, and what to do instead. */
export class ControlError extends EmulatorError {
  constructor(
    readonly status: number,
    code: EmulatorErrorCode,
    { message, hint = '', ...options }: EmulatorErrorOptions & { readonly message: string },
  ) {
    super(message, { ...options, hint, code })
  }
}

/** Body of a refusal of the control API. Of a line that repeats much of what was sent, the beginning is shown. */
export const controlErrorBody = (error: EmulatorError) => ({
  error: {
    code: error.code,
    message: withoutLongLines(error.sentence),
    hint: withoutLongLines(error.hint ?? ''),
    ...(error.found !== undefined ? { found: error.found } : {}),
  },
})

// The longest that the emulator says by itself, the names of all errors of a family, has eight hundred characters.
const MAX_LINE = 2_000
const SHOWN_OF_LINE = 300

/** Text of which the lines that repeat much of what was sent are cut to their beginning. */
export const withoutLongLines = (text: string): string =>
  text.length <= MAX_LINE
    ? text
    : text
        .split('\n')
        .map((line) =>
          line.length <= MAX_LINE ? line : `${line.slice(0, SHOWN_OF_LINE)}… (${line.length} characters)`,
        )
        .join('\n')

/** System errors of a folder in which nothing can be kept. */
// biome-ignore format: one row a line
const folderErrors: readonly { readonly of: readonly string[]; readonly code: EmulatorErrorCode; readonly says: string; readonly hint: string }[] = [
  { of: ['ENOSPC', 'EDQUOT'], code: 'disk-full', says: 'the disk is full', hint: 'Make room, or name another folder with the setting mediaFolder.' },
  { of: ['EROFS'], code: 'folder-unusable', says: 'the file system is read-only', hint: 'Mount it for writing, or name another folder with the setting mediaFolder.' },
  { of: ['EACCES', 'EPERM'], code: 'folder-unusable', says: 'nothing can be written there', hint: 'Let this user write there, or name another folder with the setting mediaFolder.' },
  { of: ['ERR_ACCESS_DENIED'], code: 'folder-unusable', says: 'the permissions of Node do not allow it', hint: 'Start Node with the flags that docs/platforms.md names.' },
  { of: ['ENOTDIR', 'EEXIST'], code: 'folder-unusable', says: 'a file is where a folder should be', hint: 'Remove it, or name another folder with the setting mediaFolder.' },
  { of: ['EMFILE', 'ENFILE'], code: 'out-of-handles', says: 'there are no file handles left', hint: 'Allow more (ulimit -n), or fewer connections (setting maxConnections).' },
  { of: ['uv_cwd'], code: 'no-working-directory', says: 'the working directory is no longer there', hint: 'Change into a folder that is there.' },
]

/** System error as an EmulatorError: what could not be done, why, and what to do. Any other error is returned as it is. */
export const explainSystemError = (what: string, error: unknown): unknown => {
  const { code = '', syscall = '', path } = error as NodeJS.ErrnoException
  const known = folderErrors.find(({ of }) => of.includes(code) || of.includes(syscall))
  if (error instanceof EmulatorError || (known === undefined && syscall === '')) return error
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
  ERR_ACCESS_DENIED: 'the permissions of Node do not allow it',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder is not there',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a part of its path is no folder',
  EMFILE: 'the process has no file handles left',
  ENFILE: 'the machine has no file handles left',
  EIO: 'the device failed',
}

/** Reason of an error of the file system or a connection, in words that follow a colon. */
export const systemReason = (cause: unknown): string => {
  const { code = '', message } = cause as NodeJS.ErrnoException
  // Where several addresses were tried, the error of all of them has no message.
  return fileErrorReasons[code] ?? (message || code)
}

/** Codes of certificates whose authority is not known here. */
const UNTRUSTED =
  /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|(DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/

/** Reason of an error of a connection, in words that follow a colon. The text of OpenSSL has several lines. */
export const connectionReason = (error: unknown): string => {
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  if (UNTRUSTED.test(code))
    return `${message} (NODE_EXTRA_CA_CERTS names a file of authorities to trust besides)`
  const [, problem] = /SSL routines:[^:]*:([^:]+):/.exec(message) ?? []
  if (problem === undefined) return message || code || String(error)
  return /wrong version number|packet length too long/.test(problem)
    ? 'it does not speak TLS'
    : `TLS failed (${problem})`
}

/** Reason why a file cannot be read, as a sentence. */
export const whyUnreadable = (path: string, error: unknown): string => {
  const { code, message = String(error) } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${path}.`
  if (code === 'EISDIR') return `${path} is a folder; a file is needed.`
  // The longest text that Node can hold.
  if (error instanceof RangeError) return `${path} cannot be read: it has more than 512 MB.`
  return `${path} cannot be read: ${fileErrorReasons[code ?? ''] ?? message}.`
}

/** Whether an error, or what is behind it, is that of a full disk. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException & { cause?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}

/** Whether the system could not give what was asked of it, since too much of it is in use. */
export const isExhausted = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '')
