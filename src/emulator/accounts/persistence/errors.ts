import { EmulatorError, isDiskFull, systemReason } from '../../core/errors.js'
import { hash } from '../../core/hash.js'

/** Error of a record: a sentence without a full stop, which says what was found and what is expected. */
export class BadRecord extends Error {}

/** Error of a state file that cannot be read; `line` counts from 1 and is undefined where the whole file is wrong. */
export const badState = (file: string, wrong: string, line?: number, cause?: unknown): EmulatorError =>
  new EmulatorError(
    `The state file ${file} cannot be read: ${line === undefined ? '' : `in line ${line}, `}${wrong}.`,
    {
      code: 'bad-state',
      hint: 'Mend it, name another file, or start with --state-fresh (setting stateFresh): it is then kept aside, and a new one begun.',
      cause,
    },
  )

/** Error of a state file that was begun with another seed. */
export const otherSeed = (file: string, found: number, asked: number): EmulatorError =>
  new EmulatorError(`${file} was begun with the seed ${found}, and the setting seed is ${asked}.`, {
    code: 'other-seed',
    hint: `Start with --seed ${found}, or name another place.`,
  })

/** Error of a path that cannot be a state file; the cause is an error of the file system or a sentence. */
export const unusable = (file: string, cause: unknown): EmulatorError =>
  new EmulatorError(
    `The state file ${file} cannot be used: ${typeof cause === 'string' ? cause : systemReason(cause)}.`,
    {
      code: 'state-unusable',
      hint: isDiskFull(cause)
        ? 'Make room on its disk, or name a file on another one (setting state).'
        : 'Name a regular file, or one that is not there yet, in a folder that can be written to (setting state).',
      cause,
    },
  )

/** Throws an error of the file system as one of a state file, and any other as it is. */
export const throwUnusable = (file: string, error: unknown): never => {
  throw /^(E[A-Z0-9]+|ERR_ACCESS_DENIED)$/.test((error as NodeJS.ErrnoException).code ?? '')
    ? unusable(file, error)
    : error
}

/** Error of a batch that could not be written. The emulator keeps running and tries again. */
export const notWritten = (file: string, cause: unknown): EmulatorError =>
  new EmulatorError(`${file}: ${systemReason(cause)}.`, {
    code: isDiskFull(cause) ? 'disk-full' : 'state-unwritten',
    hint: 'It is tried again by itself, and nothing is lost as long as the emulator runs.',
    cause,
  })

/** Error of a state file that another process has taken over. */
export const takenOver = (file: string): EmulatorError =>
  new EmulatorError(`${file} has been taken over by another Backlot.`, {
    code: 'state-taken-over',
    hint: 'Nothing more is written to it. Stop this emulator, or start it with another file (setting state).',
  })

/** Error of an account of which a shared store has lost a part, or has a damaged one. */
export const logGap = (key: string): EmulatorError =>
  new EmulatorError(
    `In the shared store, a part of the log of the account ${hash('sha256', key, 'hex').slice(0, 8)} is missing or damaged.`,
    {
      code: 'store-gap',
      hint: 'Reset the account, or restore the store from a backup. A store that evicts keys needs the maxmemory-policy noeviction.',
    },
  )
