import { constants } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { type CliCommand, type Given, warn } from './command.js'
import { launch, recordingFor, recordOption } from './launch.js'
import { jsonLines, printerOf, type Reporter } from './output/reporter.js'
import { paintFor, quietScreen, screen } from './output/screen.js'
import { type ReadSettings, readCommandSettings, settingOptions } from './settings/read.js'

export const start: CliCommand = {
  usage: 'start',
  says: 'start the emulator and keep it running; plain `backlot` does the same',
  options: [...settingOptions(), recordOption],
  examples: [
    ['backlot start', 'http://127.0.0.1:4010, until Ctrl-C'],
    ['backlot start --port 0 --json', 'a free port, named in the first line of JSON'],
    ['backlot start --clock paused --seed 7', 'time moves when the control API is told to'],
    ['backlot start --set fetchMedia=all', 'any setting by its key'],
  ],
  run: async (given) => (await import('./start.js')).runStart(given),
}

/** Runs an emulator in the foreground until it is told to stop. */
export const runStart = async ({ options }: Given): Promise<number> => {
  const signalled = firstSignal()
  const read = await readCommandSettings({ folder: process.cwd(), environment: process.env, options })
  read.warnings.forEach(warn)
  const reporter = reporterFor(read)
  const recording = recordingFor(options)
  const { close } = await launch(read.settings, reporter, recording.begin)
  staySmall()
  await signalled
  await close()
  recording.end()
  reporter.stopped()
  return 0
}

const reporterFor = ({ json, quiet }: ReadSettings): Reporter => {
  const print = printerOf(process.stdout)
  if (json) return jsonLines(print, { isQuiet: quiet })
  return quiet ? quietScreen(print) : screen(print, paintFor(process.stdout, process.env))
}

const STOPPING = ['SIGINT', 'SIGTERM'] as const

/** Resolves at the first signal to stop. A second one ends the process at once. */
export const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let isSecond = false
    const heard = (signal: NodeJS.Signals) => {
      if (isSecond) process.exit(exitCodeOfSignal(signal))
      isSecond = true
      resolve(signal)
    }
    for (const signal of STOPPING) process.on(signal, heard)
  })

/** What shells answer for a process that a signal has ended: 128 and the signal's number. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

const LARGE_BYTES = 150 * 2 ** 20
const BETWEEN_LOOKS_MS = 5_000

/**
 * How far a heap may grow before the runtime looks through all of it for what can go. Left to itself, the runtime decides
 * between a tenth and four times, by how busy the processor is.
 *
 * A small heap may grow to four times what is in use. With less room, the bytes of uploads, which are gone in a moment,
 * have it look through everything every few megabytes, and an upload takes twice as long. A program that runs for weeks
 * is to look at a third more, from a size on at which the difference is noticed.
 */
const staySmall = (): void => {
  setFlagsFromString('--heap-growing-percent=300')
  const timer = setInterval(() => {
    if (getHeapStatistics().total_heap_size < LARGE_BYTES) return
    setFlagsFromString('--heap-growing-percent=30')
    clearInterval(timer)
  }, BETWEEN_LOOKS_MS)
  timer.unref()
}
