import type { Account } from '../../core/account/account.js'
import { accountIdOf } from '../../core/account/tag.js'
import { callLine } from '../../core/recording/call-line.js'
import { createSanitizer, type Sanitizer } from '../../core/recording/cleaner.js'
import { accountLine, callbackLine, controlLine, taskLine } from '../../core/recording/other-lines.js'
import type { Line } from '../../core/recording/recording.js'
import { readClock } from '../../core/time/clock.js'
import type { ControlContext } from '../control/action.js'
import { headOf } from './head.js'

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
