import { closeSync, openSync, writeSync } from 'node:fs'
import type { ControlContext } from '../control/action.js'
import { accountIdOf } from '../core/account/credentials.js'
import { EmulatorError } from '../core/errors.js'
import type { Account } from '../core/model/account.js'
import { readClock } from '../core/schedule/clock.js'
import type { AccountEvent } from '../core/schedule/run-due.js'
import type { Line } from './format.js'
import { createSanitizer, type Sanitizer } from './sanitise.js'
import { accountLine, callbackLine, callLine, controlLine, headOf, taskLine } from './serialise.js'

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

/** The journals of some accounts as a recording: one JSON value a line, in the order in which things happened. */
export const savedRecording = async (emulator: ControlContext, keys: readonly string[]): Promise<string> => {
  const sanitizer = createSanitizer()
  const [openings, happened, outcomes] = [[], [], []] as [Line[], Numbered[], Line[]]
  for (const key of keys) {
    const calls = happenedOn(emulator, key, sanitizer)
    if (calls.length === 0) continue
    openings.push(...openingLine(emulator, key))
    happened.push(...calls)
    outcomes.push(...(await emulator.store.run(key, (account) => outcomesOf(emulator, account, sanitizer))))
  }
  happened.sort((a, b) => a.sequence - b.sequence)
  const lines = [headOf(emulator), ...openings, ...happened.map(({ line }) => line), ...outcomes]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

interface Numbered {
  readonly sequence: number
  readonly line: Line
}

const openingLine = ({ journals, settings }: ControlContext, key: string): Line[] => {
  const opening = journals.initialStateOf(key)
  return opening === undefined ? [] : [accountLine(key, opening, settings, journals.journalOf(key).evicted)]
}

const happenedOn = ({ journals }: ControlContext, key: string, sanitizer: Sanitizer): Numbered[] => [
  ...journals
    .journalOf(key)
    .list()
    .flatMap((entry) => {
      const line = callLine(entry, accountIdOf(key), sanitizer)
      return line === undefined ? [] : [{ sequence: entry.sequence ?? 0, line }]
    }),
  ...journals
    .controlsOf(key)
    .map((control) => ({ sequence: control.sequence, line: controlLine(key, control, sanitizer) })),
]

const outcomesOf = ({ wall }: ControlContext, account: Account, sanitizer: Sanitizer): Line[] => {
  const now = readClock(account.clock, wall())
  return [
    ...[...account.tasks.values()].flatMap((task) => taskLine(account.key, task, now) ?? []),
    ...[...account.callbacks.log.values()].map((callback) => callbackLine(account.key, callback, sanitizer)),
  ]
}
