import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmulatorProcess, startEmulatorProcess } from '../emulator.js'
import type { Check, Fault } from './fault.js'

interface Stage {
  readonly check: Check
  readonly folder: string
  /** An emulator that ends with the fault, where it has not been killed before. */
  start(...given: Parameters<typeof startEmulatorProcess>): Promise<EmulatorProcess>
}

/** Options of an emulator that draws into a folder, and whose tasks are over when they begin. */
export const drawingInto = (folder: string): readonly string[] => [
  ...['--timing', 'instant', '--clock', 'paused', '--set', `mediaFolder=${folder}`],
]

/** A fault that has a folder of its own, which goes at the end. */
export const inFolder = (name: string, play: (stage: Stage) => Promise<string>): Fault => ({
  name,
  run: async (check) => {
    const folder = await mkdtemp(join(tmpdir(), 'backlot-own-faults-'))
    const started: EmulatorProcess[] = []
    const start: Stage['start'] = async (...given) => {
      const emulator = await startEmulatorProcess(...given)
      started.push(emulator)
      return emulator
    }
    try {
      return await play({ check, folder, start })
    } finally {
      for (const emulator of started) await emulator.kill()
      await rm(folder, { recursive: true, force: true })
    }
  },
})
