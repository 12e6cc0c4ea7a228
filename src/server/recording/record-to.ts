import { closeSync, openSync, writeSync } from 'node:fs'
import type { Happening } from '../../core/account/settle.js'
import { tagOf } from '../../core/account/tag.js'
import { EmulatorError } from '../../core/emulator-error.js'
import { callLine } from '../../core/recording/call-line.js'
import { createCleaner } from '../../core/recording/cleaner.js'
import { accountLine, callbackLine, controlLine, taskLine } from '../../core/recording/other-lines.js'
import type { Line } from '../../core/recording/recording.js'
import type { Controlled } from '../control/action.js'
import { headOf } from './head.js'

/**
 * Writes everything that happens from now on into a file, a line each, as it happens: what a killed process had
 * answered is there. Returns what ends it.
 * @throws EmulatorError `cannot-record`
 */
export const recordTo = (emulator: Controlled, path: string): (() => void) => {
  const { settings, recorder, events } = emulator
  const cleaner = createCleaner()
  const file = opened(path)
  // At once and in order; what a stream still held back would be lost with the process.
  const write = (line: Line | undefined) => {
    if (line !== undefined) writeSync(file, `${JSON.stringify(line)}\n`)
  }
  const happened = ({ account, at, task, callback }: Happening & { readonly account: string }) => {
    if (callback === undefined) write(task && taskLine(account, task, at))
    else if (callback.state !== 'waiting') write(callbackLine(account, callback, cleaner))
  }
  write(headOf(emulator))
  const unfollow = recorder.follow({
    opened: (key, opening) => write(accountLine(key, opening, settings)),
    call: (entry) => write(callLine(entry, tagOf(entry.account), cleaner)),
    controlled: (key, control) => write(controlLine(key, control, cleaner)),
    forgotten: (key) => write({ kind: 'reset', account: tagOf(key) }),
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
