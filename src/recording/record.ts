import { appendFileSync, closeSync, openSync } from 'node:fs'
import {
  type Account,
  accountIdOf,
  EmulatorError,
  type Events,
  type Instant,
  idempotent,
  systemReason,
} from '../emulator/surface/records.js'
import type { Emulator } from '../emulator/surface/starting.js'
import type { CallbackLine, Line } from '../traffic/format.js'
import { createMediaWriter, hashesIn, type ReadMedium } from './media.js'
import { Serializer } from './serialise.js'

/** Parts of an emulator that a recording is made of. */
interface RecordedEmulator
  extends Pick<
    Emulator,
    | 'settings'
    | 'signingSecret'
    | 'registry'
    | 'scenarios'
    | 'journals'
    | 'events'
    | 'health'
    | 'store'
    | 'systemNow'
  > {
  readonly blobs: { readonly read: ReadMedium }
}

/** Recording that runs. */
interface RunningRecording {
  /** Writes the media so far, which an emulator has no more when it has stopped. */
  flush(): Promise<unknown>
  /** Ends it; may be called twice. */
  end(): Promise<void>
}

/**
 * Recorder: appends a line to a file for everything that happens from now on, as it happens, so that nothing of a killed
 * process is lost. Media go into a folder beside the file. A recording that cannot be written any more ends, and calls are
 * answered as before.
 * @throws EmulatorError `cannot-record`
 */
export const recordTo = async (emulator: RecordedEmulator, path: string): Promise<RunningRecording> => {
  const { settings, signingSecret, registry, journals, events, scenarios, blobs } = emulator
  const serializer = new Serializer(settings, signingSecret, registry)
  const file = openWith(path, lineText(serializer.head(scenarios.given)))
  const media = createMediaWriter(path, blobs.read)
  // Callbacks without a final state, by account and id.
  const waiting = new Map<string, CallbackLine>()

  let isBroken = false
  const write = (line: Line | undefined) => {
    if (line === undefined || isBroken) return
    try {
      // Synchronously: what a stream still held back would be lost with the process.
      appendFileSync(file, lineText(line))
      media.save(hashesIn(line))
    } catch (error) {
      // The last line may be cut, so that nothing can follow it.
      isBroken = true
      emulator.health.report('recording', cannotRecord(`${path} ends here`, error, BROKEN_HINT))
    }
  }
  const writeWaiting = (isGone: (line: CallbackLine) => boolean) => {
    for (const [name, line] of waiting) {
      if (!isGone(line)) continue
      waiting.delete(name)
      write(line)
    }
  }
  const onEvent = ({ account, at, task, callback }: Events['happening'][0]) => {
    if (callback === undefined) return write(task && serializer.task(account, task, at))
    const line = serializer.callback(account, callback)
    const name = `${line.account} ${line.id}`
    if (line.state === 'waiting') waiting.set(name, line)
    else {
      waiting.delete(name)
      write(line)
    }
  }

  for (const key of await emulator.store.keys()) accountLinesOf(journals, key, serializer).forEach(write)
  const unfollow = journals.follow({
    opened: (key, initialState) => write(serializer.account(key, initialState)),
    call: (entry) => write(serializer.call(entry)),
    controlled: (key, control) => write(serializer.control(key, control)),
    forgotten: (key) => {
      const account = accountIdOf(key)
      writeWaiting((line) => line.account === account)
      write({ kind: 'reset', account })
    },
  })
  events.on('happening', onEvent)
  const end = idempotent(async (): Promise<void> => {
    unfollow()
    events.off('happening', onEvent)
    writeWaiting(() => true)
    await media.flush()
    closeSync(file)
  })
  return { flush: media.flush, end }
}

const BROKEN_HINT = 'Make room, and start the emulator again to record what comes.'

const lineText = (line: Line): string => `${JSON.stringify(line)}\n`

/** Opens a file and writes its first line. */
const openWith = (path: string, head: string): number => {
  try {
    // For appending: written at its own offset, a file that is truncated meanwhile would begin with zero bytes.
    const file = openSync(path, 'a', 0o600)
    appendFileSync(file, head)
    return file
  } catch (error) {
    const hint = 'Name a file in a folder that is there and may be written to.'
    throw cannotRecord(`The recording cannot be written to ${path}`, error, hint)
  }
}

const cannotRecord = (what: string, cause: unknown, hint: string): EmulatorError =>
  new EmulatorError(`${what}: ${systemReason(cause)}.`, { code: 'cannot-record', hint, cause })

/** Recording of the journals of some accounts, in the order in which things happened. It has no bytes of media. */
export const savedRecording = async (emulator: Omit<RecordedEmulator, 'health'>, keys: readonly string[]) => {
  const { settings, signingSecret, registry, scenarios, journals, store } = emulator
  const serializer = new Serializer(settings, signingSecret, registry)
  const happened: { readonly sequence: number; readonly line: Line }[] = []
  const outcomes: Line[] = []
  for (const key of keys) {
    const lines = journalLines(journals, key, serializer)
    if (lines.length === 0) continue
    const { evicted, ended } = await store.read(key, (account, now) => ({
      evicted: account.callbacks.evicted,
      ended: outcomeLines(account, now, serializer),
    }))
    // An account opened with its first call or change: before that, a call of one of its results was one of the account `default`.
    const sequence = lines.reduce((first, line) => Math.min(first, line.sequence), Number.POSITIVE_INFINITY)
    for (const line of accountLinesOf(journals, key, serializer, evicted)) happened.push({ sequence, line })
    // One by one: as arguments of one call, many would be too many.
    for (const line of lines) happened.push(line)
    for (const line of ended) outcomes.push(line)
  }
  const inOrder = happened.sort((a, b) => a.sequence - b.sequence).map(({ line }) => line)
  const lines = [serializer.head(scenarios.given), ...inOrder, ...outcomes]
  return lines.map(lineText).join('')
}

const accountLinesOf = (
  journals: Emulator['journals'],
  key: string,
  serializer: Serializer,
  callbacks = 0,
): Line[] => {
  const initialState = journals.initialStateOf(key)
  const calls = journals.journalOf(key).evicted
  return initialState === undefined ? [] : [serializer.account(key, initialState, { calls, callbacks })]
}

const journalLines = (journals: Emulator['journals'], key: string, serializer: Serializer) => {
  const entries = journals.journalOf(key).list()
  const calls = entries.flatMap((entry) => {
    const line = serializer.call(entry)
    return line === undefined ? [] : [{ sequence: entry.sequence ?? 0, line }]
  })
  const controls = journals.controlsOf(key).map((control) => {
    return { sequence: control.sequence, line: serializer.control(key, control) }
  })
  return [...calls, ...controls]
}

const outcomeLines = ({ key, tasks, callbacks }: Account, now: Instant, serializer: Serializer): Line[] => [
  ...[...tasks.values()].flatMap((task) => serializer.task(key, task, now) ?? []),
  ...[...callbacks.log.values()].map((callback) => serializer.callback(key, callback)),
]
