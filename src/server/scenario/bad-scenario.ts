import { EmulatorError } from '../../core/emulator-error.js'
import type { LocatedDiagnostic } from './parse.js'

/** `scenarios/mine.yaml:4:18: there is no operation "b-video.create": did you mean b-video-task.create?` */
export const diagnosticText = (file: string, { line, column, message }: LocatedDiagnostic): string =>
  `${file}:${line}:${column}: ${message}`

/** A scenario that cannot be played; the message says everything that is wrong with it, a line each. */
export const badScenario = (problems: readonly string[]): EmulatorError =>
  new EmulatorError(`The scenario cannot be played.\n${problems.join('\n')}`, {
    code: 'bad-scenario',
    hint: 'docs/scenarios.md describes every selector and every effect; `backlot check FILE` checks a file.',
  })
