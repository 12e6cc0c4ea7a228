import { watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { invokeAction } from '../control/invoke.js'
import { EmulatorError } from '../core/errors.js'
import { documentOf, type Scenario } from '../core/scenario/schema.js'
import type { Emulator } from '../emulator.js'
import { catalogue } from '../families/index.js'
import { isFileName } from '../scenarios/library.js'
import { readScenarioFile } from '../scenarios/read.js'

/** Editors write a file in several steps. */
const DEBOUNCE_MS = 50

/**
 * File watcher of the scenarios that an emulator was started with. A file that changes is read again, and its scenario begins
 * anew for every account that plays it; one that cannot be played changes nothing. Both are told as the event `scenario`.
 * @returns ends the watching
 */
export const watchScenarioFiles = (emulator: Emulator): (() => void) => {
  const ends = emulator.settings.scenario.map((given, index) =>
    typeof given === 'string' && isFileName(given)
      ? watchFile(given, () => reread(emulator, given, index))
      : undefined,
  )
  return () => {
    for (const end of ends) end?.()
  }
}

/** Watches the folder of a file: an editor may replace the file, which ends the watching of the file itself. */
const watchFile = (file: string, onChange: () => Promise<void>): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const watcher = watch(dirname(resolve(file)), { persistent: false }, (_, name) => {
    if (name !== null && name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(onChange)
    }, DEBOUNCE_MS)
  })
  // A folder that is removed.
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** @param index of the file among the scenarios that were given */
const reread = async (emulator: Emulator, file: string, index: number): Promise<void> => {
  const { scenarios, store, events } = emulator
  const old = scenarios.given[index] as Scenario
  try {
    const scenario = await readScenarioFile(file, catalogue)
    if (isDeepStrictEqual(scenario, old)) return
    scenarios.replace(old, scenario)
    for (const key of await store.keys()) {
      const plays = ({ playing }: { playing: readonly { scenario: Scenario }[] }) =>
        playing.some((run) => run.scenario.name === old.name)
      if (!(await store.read(key, plays))) continue
      if (scenario.name !== old.name) await invokeAction(emulator, 'scenario.stop', key, { name: old.name })
      await invokeAction(emulator, 'scenario.play', key, { ...documentOf(scenario) })
    }
    const says = `${file} has changed: the scenario ${scenario.name} begins anew.`
    events.emit('scenario', { file, name: scenario.name, isPlayed: true, says })
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    const says = `${file} has changed, and the scenario ${old.name} plays on as it was. ${error.sentence}`
    events.emit('scenario', { file, name: old.name, isPlayed: false, says })
  }
}
