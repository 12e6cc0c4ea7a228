import { basename } from 'node:path'
import { parseRecording } from '../../core/recording/parse.js'
import type { Recording } from '../../core/recording/recording.js'
import { replay, type Target } from '../../server/recording/replay.js'
import type { Given } from '../command.js'
import { readText } from '../settings/data-file.js'
import { urlOf } from '../url.js'
import { openOwnTarget } from './own-target.js'
import { openRemoteTarget } from './remote-target.js'
import { differingText, summary, warnings } from './shown.js'

/** A target, and what ends it. */
export interface OpenTarget {
  readonly target: Target
  /** What is worth knowing before the answers are compared; empty where nothing is. */
  readonly warnings: readonly string[]
  close(): Promise<void>
}

const MOST_SHOWN = 20

/** Runs a recording again. Answers 0 when everything is as it was, 1 when something is not. */
export const runReplay = async ({ options, operands: [file = ''] }: Given): Promise<number> => {
  const recording = await readRecording(file)
  const { target, close, warnings: known } = await openTarget(recording, options)
  for (const warning of [...warnings(recording), ...known]) process.stderr.write(`backlot: ${warning}\n`)
  let shown = 0
  try {
    const report = await replay(recording, target, (differing) => {
      shown += 1
      if (options.all === true || shown <= MOST_SHOWN) process.stdout.write(`${differingText(differing)}\n`)
    })
    const hidden = options.all === true ? 0 : Math.max(0, shown - MOST_SHOWN)
    process.stdout.write(`${summary(report, hidden)}\n`)
    return report.differing.length === 0 ? 0 : 1
  } finally {
    await close()
  }
}

const openTarget = (recording: Recording, { url, controlToken }: Given['options']): Promise<OpenTarget> =>
  typeof url === 'string'
    ? openRemoteTarget(recording, urlOf(url), typeof controlToken === 'string' ? controlToken : undefined)
    : openOwnTarget(recording)

/** @throws EmulatorError when there is no such file, or it is no recording */
export const readRecording = async (file: string): Promise<Recording> =>
  parseRecording(await readText(file), basename(file))
