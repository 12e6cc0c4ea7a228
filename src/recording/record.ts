import type { EventEmitter } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import type { JournalStore } from '../accounts/journals.js'
import type { Store } from '../accounts/store.js'
import { accountIdOf } from '../core/account/account-id.js'
import { EmulatorError, systemReason } from '../core/errors.js'
import type { Events } from '../core/events.js'
import type { Account, AccountEvent } from '../core/model/account.js'
import type { Scenario } from '../core/scenario/schema.js'
import { readClock } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import type { CallbackLine, Line } from './format.js'
import { createMediaWriter, hashesIn, type ReadMedium } from './media.js'
import { createSanitizers, type SanitizerFor } from './sanitise.js'
import { accountLine, callbackLine, callLine, controlLine, headOf, taskLine } from './serialise.js'

/** Parts of an emulator that a recording is made of. */
export interface RecordedEmulator {
  readonly settings: Settings
  readonly scenarios: { readonly given: readonly Scenario[] }
  readonly journals: JournalStore
  readonly events: EventEmitter<Events>
  readonly store: Store
  readonly blobs: { readonly read: ReadMedium }
  readonly systemNow: () => number
}

/**
 * Recorder: appends a line to a file for everything that happens from now on, as it happens, so that nothing of a killed
 * process is lost. Media go into a folder beside the file. Returns a function that ends the recording.
 * @throws EmulatorError `cannot-record`
 */
export const recordTo = async (emulator: RecordedEmulator, path: string): Promise<() => Promise<void>> => {
  const { settings, journals, events, scenarios, blobs } = emulator
  const sanitizerFor = createSanitizers()
  const file = openForWriting(path)
  const media = createMediaWriter(path, blobs.read)
  // Callbacks without a final state, by account and id.
  const waiting = new Map<string, CallbackLine>()

  const write = (line: Line | undefined) => {
    if (line === undefined) return
    // Synchronously: what a stream still held back would be lost with the process.
    writeSync(file, `${JSON.stringify(line)}\n`)
    media.save(hashesIn(line))
  }
  const writeWaiting = (isGone: (line: CallbackLine) => boolean) => {
    for (const [name, line] of waiting) {
      if (!isGone(line)) continue
      waiting.delete(name)
      write(line)
    }
  }
  const onEvent = ({ account, at, task, callback }: AccountEvent & { readonly account: string }) => {
    if (callback === undefined) return write(task && taskLine(account, task, at))
    const line = callbackLine(account, callback, sanitizerFor)
    const name = `${line.account} ${line.id}`
    if (line.state === 'waiting') waiting.set(name, line)
    else {
      waiting.delete(name)
      write(line)
    }
  }

  write(headOf(settings, scenarios.given))
  for (const key of await emulator.store.keys()) openingLine(emulator, key, sanitizerFor).forEach(write)
  const unfollow = journals.follow({
    opened: (key, opening) => write(accountLine(key, opening, settings, sanitizerFor)),
    call: (entry) => write(callLine(entry, sanitizerFor)),
    controlled: (key, control) => write(controlLine(key, control, sanitizerFor)),
    forgotten: (key) => {
      const account = accountIdOf(key)
      writeWaiting((line) => line.account === account)
      write({ kind: 'reset', account })
    },
  })
  events.on('happening', onEvent)
  return async () => {
    unfollow()
    events.off('happening', onEvent)
    writeWaiting(() => true)
    await media.flush()
    closeSync(file)
  }
}

const openForWriting = (path: string): number => {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new EmulatorError(`The recording cannot be written to ${path}: ${systemReason(error)}.`, {
      code: 'cannot-record',
      hint: 'Name a file in a folder that is there and may be written to.',
      cause: error,
    })
  }
}

/** Recording of the journals of some accounts, in the order in which things happened. It has no bytes of media. */
export const savedRecording = async (
  emulator: RecordedEmulator,
  keys: readonly string[],
): Promise<string> => {
  const sanitizerFor = createSanitizers()
  const openings: Line[] = []
  const happened: Numbered[] = []
  const outcomes: Line[] = []
  for (const key of keys) {
    const lines = journalLines(emulator, key, sanitizerFor)
    if (lines.length === 0) continue
    openings.push(...openingLine(emulator, key, sanitizerFor))
    happened.push(...lines)
    outcomes.push(
      ...(await emulator.store.read(key, (account) => outcomesOf(emulator, account, sanitizerFor))),
    )
  }
  happened.sort((a, b) => a.sequence - b.sequence)
  const lines = [...openings, ...happened.map(({ line }) => line), ...outcomes]
  const head = headOf(emulator.settings, emulator.scenarios.given)
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
}

interface Numbered {
  readonly sequence: number
  readonly line: Line
}

const openingLine = (
  { journals, settings }: RecordedEmulator,
  key: string,
  sanitizerFor: SanitizerFor,
): Line[] => {
  const opening = journals.initialStateOf(key)
  if (opening === undefined) return []
  return [accountLine(key, opening, settings, sanitizerFor, journals.journalOf(key).evicted)]
}

const journalLines = (
  { journals }: RecordedEmulator,
  key: string,
  sanitizerFor: SanitizerFor,
): Numbered[] => {
  const entries = journals.journalOf(key).list()
  const calls = entries.flatMap((entry) => {
    const line = callLine(entry, sanitizerFor)
    return line === undefined ? [] : [{ sequence: entry.sequence ?? 0, line }]
  })
  const controls = journals.controlsOf(key).map((control) => {
    const line = controlLine(key, control, sanitizerFor)
    return { sequence: control.sequence, line }
  })
  return [...calls, ...controls]
}

const outcomesOf = (
  { systemNow }: RecordedEmulator,
  account: Account,
  sanitizerFor: SanitizerFor,
): Line[] => {
  const { key, clock, tasks, callbacks } = account
  const now = readClock(clock, systemNow())
  return [
    ...[...tasks.values()].flatMap((task) => taskLine(key, task, now) ?? []),
    ...[...callbacks.log.values()].map((callback) => callbackLine(key, callback, sanitizerFor)),
  ]
}
