import { closeSync, openSync, writeSync } from 'node:fs'
import type { AccountEvent } from '../../core/account/settle.js'
import { accountIdOf } from '../../core/account/tag.js'
import { EmulatorError } from '../../core/emulator-error.js'
import { callLine } from '../../core/recording/call-line.js'
import { createSanitizer } from '../../core/recording/cleaner.js'
import { accountLine, callbackLine, controlLine, taskLine } from '../../core/recording/other-lines.js'
import type { Line } from '../../core/recording/recording.js'
import type { ControlContext } from '../control/action.js'
import { headOf } from './head.js'

/**
 * Writes everything that happens from now on into a file, a line each, as it happens: what a killed process had
 * answered is there. Returns what ends it.
 * @throws EmulatorError `cannot-record`
 */
export const recordTo = (emulator: ControlContext, path: string): (() => void) => {
  const { settings, journals, events } = emulator
  const sanitizer = createSanitizer()
  const file = opened(path)
  // At once and in order; what a stream still held back would be lost with the process.
  const write = (line: Line | undefined) => {
    if (line !== undefined) writeSync(file, `${JSON.stringify(line)}\n`)
  }
  const happened = ({ account, at, task, callback }: AccountEvent & { readonly account: string }) => {
    if (callback === undefined) write(task && taskLine(account, task, at))
    else if (callback.state !== 'waiting') write(callbackLine(account, callback, sanitizer))
  }
  write(headOf(emulator))
  const unfollow = journals.follow({
    opened: (key, opening) => write(accountLine(key, opening, settings)),
    call: (entry) => write(callLine(entry, accountIdOf(entry.account), sanitizer)),
    controlled: (key, control) => write(controlLine(key, control, sanitizer)),
    forgotten: (key) => write({ kind: 'reset', account: accountIdOf(key) }),
  })
  events.on('happening', happened)
  return () => {
    unfollow()
    events.off('happening', happened)
    closeSync(file)
  }
}

const opened = (path: string): number => {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new EmulatorError(`The recording cannot be written to ${path}: ${(error as Error).message}.`, {
      code: 'cannot-record',
      hint: 'Name a file in a folder that is there and may be written to.',
      cause: error,
    })
  }
}
