import type { Given } from '../command.js'
import { jsonLines } from '../output/json-lines.js'
import { printerOf, type Reporter } from '../output/reporter.js'
import { paintFor } from '../output/screen/paint.js'
import { quietScreen, screen } from '../output/screen/screen.js'
import { type ReadSettings, readCommandSettings } from '../settings/read.js'
import { launch } from './launch.js'
import { recordingFor } from './record.js'
import { firstSignal } from './signals.js'
import { staySmall } from './stay-small.js'
import { warn } from './warn.js'

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
