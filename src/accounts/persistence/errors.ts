import { EmulatorError } from '../../core/errors.js'
import { isDiskFull } from '../../core/system-error.js'

/** A state file that cannot be read; `line` counts from 1, and is left out where it is the whole that is wrong. */
export const badState = (file: string, wrong: string, line?: number, cause?: unknown): EmulatorError =>
  new EmulatorError(
    `The state file ${file} cannot be read: ${line === undefined ? '' : `in line ${line}, `}${wrong}.`,
    {
      code: 'bad-state',
      hint: 'Mend it, name another file, or start with --state-fresh (setting stateFresh): it is then kept aside, and a new one begun.',
      cause,
    },
  )

export const otherSeed = (file: string, found: number, asked: number): EmulatorError =>
  new EmulatorError(
    `The state file ${file} was begun with the seed ${found}, and the setting seed is ${asked}.`,
    { code: 'other-seed', hint: `Start with --seed ${found}, or name another file.` },
  )

/** What the file system has against a state file, other than what is written in it. */
export const unusable = (file: string, cause: unknown): EmulatorError =>
  new EmulatorError(`The state file ${file} cannot be used: ${reasonOf(cause)}.`, {
    code: 'state-unusable',
    hint: 'Name a file (setting state) in a folder that can be written to.',
    cause,
  })

/** A batch that could not be written, while the emulator goes on. */
export const notWritten = (file: string, cause: unknown): EmulatorError =>
  new EmulatorError(`${file}: ${reasonOf(cause)}.`, {
    code: isDiskFull(cause) ? 'disk-full' : 'state-unwritten',
    hint: 'It is tried again by itself, and nothing is lost as long as the emulator runs.',
    cause,
  })

export interface Holder {
  readonly pid: number
  readonly hostName: string
  readonly startedAt: string
  /** Null before the server listens, and for programs that do not. */
  readonly url: string | null
}

export const stateHeld = (file: string, { pid, hostName, startedAt, url }: Holder): EmulatorError =>
  new EmulatorError(
    `The state file ${file} is held by another Backlot: process ${pid} on ${hostName}, started ${startedAt}, ${url ?? 'not listening yet'}.`,
    { code: 'state-held', hint: 'Stop that one, or name another file (setting state).' },
  )

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EMFILE: 'the process has no file handles left',
  ENFILE: 'the machine has no file handles left',
  EIO: 'the device failed',
}

/** Why the file system refused, in words that follow a colon. */
export const reasonOf = (cause: unknown): string => {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return reasons[code] ?? message
}
