import type { EventEmitter } from 'node:events'
import type { Events } from '../../core/events.js'
import type { Emulator } from '../../emulator/index.js'

/** An emulator that listens, as the output speaks of it. */
export interface Started {
  readonly emulator: Emulator
  readonly url: string
  readonly port: number
}

/** Says what an emulator does: to people or to programs. */
export interface Reporter {
  started(started: Started): void
  /** What to write for each event of the emulator; left out where nothing is. */
  readonly events?: { readonly [Name in keyof Events]?: (...told: Events[Name]) => void }
  stopped(): void
}

/** Tells a reporter of everything that happens from now on. */
export const follow = (events: EventEmitter<Events>, reporter: Reporter): void => {
  for (const [name, tell] of Object.entries(reporter.events ?? {}))
    events.on(name as keyof Events, tell as (...told: unknown[]) => void)
}

/** Takes lines, without their ends. */
export type Print = (line: string) => void

export const printerOf =
  (stream: NodeJS.WritableStream): Print =>
  (line) => {
    stream.write(`${line}\n`)
  }
