import { EmulatorError } from './errors.js'

interface Words {
  readonly code: string
  readonly says: string
  readonly hint: string
}

const full: Words = {
  code: 'disk-full',
  says: 'the disk is full',
  hint: 'Make room, or name another folder with the setting mediaFolder.',
}
const closed: Words = {
  code: 'folder-unusable',
  says: 'nothing can be written there',
  hint: 'Let this user write there, or name another folder with the setting mediaFolder.',
}
const inTheWay: Words = {
  code: 'folder-unusable',
  says: 'a file is where a folder should be',
  hint: 'Remove it, or name another folder with the setting mediaFolder.',
}
const noHandles: Words = {
  code: 'out-of-handles',
  says: 'there are no file handles left',
  hint: 'Allow more (ulimit -n), or fewer connections (setting maxConnections).',
}

const words: Readonly<Record<string, Words>> = {
  ...{ ENOSPC: full, EDQUOT: full },
  ...{ EROFS: closed, EACCES: closed, EPERM: closed },
  ...{ ENOTDIR: inTheWay, EEXIST: inTheWay },
  ...{ EMFILE: noHandles, ENFILE: noHandles },
}

/**
 * An error of the system in words: what could not be done (`A picture could not be kept`), why, and what to do.
 * Everything else is handed back as it is.
 */
export const explainSystemError = (what: string, error: unknown): unknown => {
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  if (error instanceof EmulatorError || syscall === undefined) return error
  const known = words[code]
  const why = known?.says ?? `${code} from ${syscall}`
  return new EmulatorError(`${what}: ${why}${path === undefined ? '' : ` (${code}, ${path})`}.`, {
    code: known?.code ?? 'file-trouble',
    hint: known?.hint ?? 'Look at the folder, or name another one with the setting mediaFolder.',
    cause: error,
  })
}

/** Whether an error, or what is behind it, is that of a full disk. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException & { cause?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}

/** Whether the system could not give what was asked of it, since too much of it is in use. */
export const isExhausted = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '')
