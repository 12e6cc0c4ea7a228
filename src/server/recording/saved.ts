import type { Account } from '../../core/account/account.js'
import { tagOf } from '../../core/account/tag.js'
import { callLine } from '../../core/recording/call-line.js'
import { type Cleaner, createCleaner } from '../../core/recording/cleaner.js'
import { accountLine, callbackLine, controlLine, taskLine } from '../../core/recording/other-lines.js'
import type { Line } from '../../core/recording/recording.js'
import { readClock } from '../../core/time/clock.js'
import type { Controlled } from '../control/action.js'
import { headOf } from './head.js'

/** The journals of some accounts as a recording: one JSON value a line, in the order in which things happened. */
export const savedRecording = async (emulator: Controlled, keys: readonly string[]): Promise<string> => {
  const cleaner = createCleaner()
  const [openings, happened, outcomes] = [[], [], []] as [Line[], Numbered[], Line[]]
  for (const key of keys) {
    const calls = happenedOn(emulator, key, cleaner)
    if (calls.length === 0) continue
    openings.push(...openingLine(emulator, key))
    happened.push(...calls)
    outcomes.push(...(await emulator.store.run(key, (account) => outcomesOf(emulator, account, cleaner))))
  }
  happened.sort((a, b) => a.sequence - b.sequence)
  const lines = [headOf(emulator), ...openings, ...happened.map(({ line }) => line), ...outcomes]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

interface Numbered {
  readonly sequence: number
  readonly line: Line
}

const openingLine = ({ recorder, settings }: Controlled, key: string): Line[] => {
  const opening = recorder.openingOf(key)
  return opening === undefined ? [] : [accountLine(key, opening, settings, recorder.journalOf(key).evicted)]
}

const happenedOn = ({ recorder }: Controlled, key: string, cleaner: Cleaner): Numbered[] => [
  ...recorder
    .journalOf(key)
    .list()
    .flatMap((entry) => {
      const line = callLine(entry, tagOf(key), cleaner)
      return line === undefined ? [] : [{ sequence: entry.sequence ?? 0, line }]
    }),
  ...recorder
    .controlsOf(key)
    .map((control) => ({ sequence: control.sequence, line: controlLine(key, control, cleaner) })),
]

const outcomesOf = ({ wall }: Controlled, account: Account, cleaner: Cleaner): Line[] => {
  const now = readClock(account.clock, wall())
  return [
    ...[...account.tasks.values()].flatMap((task) => taskLine(account.key, task, now) ?? []),
    ...[...account.callbacks.log.values()].map((callback) => callbackLine(account.key, callback, cleaner)),
  ]
}
