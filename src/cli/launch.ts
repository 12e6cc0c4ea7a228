import { existsSync, type FSWatcher, type Stats, watch } from 'node:fs'
import { rename, rm, stat, truncate } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Started } from '../command/child-process.js'
import { type CliOption, formatError, joinLines, type Options, textOption, warn } from '../command/command.js'
import { openEmulator, recorder } from '../composition.js'
import { reloadProfile } from '../emulator/surface/profile.js'
import { delay, EmulatorError } from '../emulator/surface/records.js'
import { documentOf, isFileName, type Scenario } from '../emulator/surface/scenarios.js'
import {
  type Emulator,
  type Extension,
  type Listening,
  listen,
  type RunningExtension,
  type Settings,
} from '../emulator/surface/starting.js'
import { type Reporter, subscribe } from './reporter.js'

export const recordOption: CliOption = {
  flags: '--record <file>',
  description: 'write everything that happens into a file that `backlot replay` runs again',
}

/**
 * Starts an emulator in this process, reports what it does, and records it where the options say so.
 * @throws EmulatorError when the port is taken or cannot be opened, or one file is named for two uses
 */
export const launch = async (
  settings: Settings,
  reporter: Reporter,
  options: Options,
): Promise<Started & Pick<Listening, 'close'>> => {
  refuseOneFileForTwo({
    state: settings.state,
    logFile: settings.logFile,
    '--record': textOption(options.record),
  })
  const onInternalError = (error: unknown) => void process.stderr.write(`${formatError(error)}\n`)
  const file = textOption(options.record)
  const recording = file === undefined ? undefined : createRecording(file)
  // A recording begins before the first call can come.
  const extensions = recording === undefined ? [warnOfTrouble] : [warnOfTrouble, recording.start]
  const emulator = await openEmulator(settings, { onInternalError, extensions })
  // Loaded with the start, so that the first call of it waits no longer than others: "ready" means the control API too.
  const loading = emulator.app.load().catch(() => {})
  const { url, port, close } = await listen(emulator).catch(async (error) => {
    await recording?.discard()
    throw error
  })
  await loading
  recording?.announce()
  const started = { emulator, url, port }
  reporter.started(started)
  // Faults that began while it was opened; what listens to later ones comes next.
  for (const issue of emulator.health.current()) reporter.events?.trouble?.(issue)
  subscribe(emulator.events, reporter)
  const endWatching = [
    watchScenarioFiles(emulator, onInternalError),
    watchProfileFiles(emulator, onInternalError),
  ]
  const stop = async (): Promise<void> => {
    for (const end of endWatching) end()
    await close()
  }
  return { ...started, close: stop }
}

/** Refuses a file that would be written in two formats, and lost. */
const refuseOneFileForTwo = (files: Readonly<Record<string, string | undefined>>): void => {
  const uses = new Map<string, string>()
  for (const [use, file] of Object.entries(files)) {
    if (file === undefined) continue
    const earlier = uses.get(resolve(file))
    if (earlier !== undefined)
      throw new EmulatorError(`${earlier} and ${use} both name the file ${file}.`, {
        code: 'bad-setting',
        hint: 'Give each a file of its own.',
      })
    uses.set(resolve(file), use)
  }
}

// On standard error in every mode: what reads standard output may be a program that looks for something else.
const warnOfTrouble: Extension = ({ events }) => {
  events.on('trouble', ({ says, hint }) => process.stderr.write(`${joinLines(`backlot: ${says}`, hint)}\n`))
  return { end: () => {} }
}

/** Recording into a file; what the file holds already is kept under another name. */
const createRecording = (file: string) => {
  let earlier: Stats | undefined
  let kept: string | undefined
  let running: RunningExtension | undefined
  const start: Extension = async (emulator) => {
    const { freeName } = await import('../emulator/surface/persistence.js')
    earlier = await stat(file).catch(() => undefined)
    kept = earlier?.isFile() && earlier.size > 0 ? await freeName(`${file}.old`) : undefined
    if (kept !== undefined) await moveRecording(file, kept)
    running = await recorder(file)(emulator)
    return running
  }
  return {
    start,
    announce: () => kept !== undefined && warn(`${file} was there already; it is kept as ${kept}.`),
    /** Puts an earlier recording back in its place: nothing was recorded. */
    discard: async () => {
      await running?.end()
      if (earlier === undefined || kept !== undefined) await rm(file)
      else if (earlier.isFile()) await truncate(file)
      if (kept === undefined) return
      await rm(`${file}.media`, { recursive: true, force: true })
      await moveRecording(kept, file)
    },
  }
}

const moveRecording = async (file: string, to: string): Promise<void> => {
  await rename(file, to)
  if (existsSync(`${file}.media`)) await rename(`${file}.media`, `${to}.media`)
}

/** Link that Kubernetes replaces when a volume changes, which the files of the volume are links through. */
const VOLUME_LINK = '..data'
/** Debounce of file changes: editors write a file in several steps. */
const DEBOUNCE_MS = 50
/** How long a file may be empty before it is read as it is. */
const EMPTY_MS = 1_000

/**
 * File watcher of the scenarios that an emulator was started with. A file that changes is read again, and its scenario begins
 * anew for every account that plays it; one that cannot be played changes nothing. The event `scenario` reports both.
 * @returns ends the watching
 */
const watchScenarioFiles = (emulator: Emulator, onError: (error: unknown) => void): (() => void) => {
  const ends = emulator.settings.scenario.flatMap((name, index) => {
    if (typeof name !== 'string' || !isFileName(name)) return []
    return [watchFile(name, () => reloadScenario(emulator, name, index).catch(onError))]
  })
  return () => ends.forEach((end) => void end())
}

/**
 * File watcher of the profile that an emulator was started with: a change is in force from the next call on. One that cannot be
 * used changes nothing. The event `profile` reports both.
 * @returns ends the watching
 */
const watchProfileFiles = (emulator: Emulator, onError: (error: unknown) => void): (() => void) => {
  const ends = (emulator.profile?.loaded.files ?? []).map((file) =>
    watchFile(file, () => readAgain(emulator, file).catch(onError)),
  )
  return () => ends.forEach((end) => void end())
}

const readAgain = async (emulator: Emulator, file: string): Promise<void> => {
  // An empty file is most likely just being written.
  if ((await stat(file).catch(() => undefined))?.size === 0) await delay(EMPTY_MS, undefined, { ref: false })
  await reloadProfile(emulator, file)
}

/**
 * Watches the folder of a file: an editor may replace the file, which ends the watching of the file itself. A system that has
 * no watcher left is warned of.
 * @param onChange never rejects, and runs once at a time
 */
const watchFile = (file: string, onChange: () => Promise<void>): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const onEvent = (_: string, name: string | null) => {
    if (name !== null && name !== basename(file) && name !== VOLUME_LINK) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(onChange)
    }, DEBOUNCE_MS)
  }
  let watcher: FSWatcher
  try {
    watcher = watch(dirname(resolve(file)), { persistent: false }, onEvent)
  } catch (error) {
    warn(`Changes of ${file} are not followed: ${(error as Error).message}.`)
    return () => {}
  }
  // The folder was removed.
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** @param index of the file among the scenarios that were given */
const reloadScenario = async (emulator: Emulator, file: string, index: number): Promise<void> => {
  const { scenarios, store, events } = emulator
  const old = scenarios.given[index] as Scenario
  // An empty file is most likely just being written.
  if ((await stat(file).catch(() => undefined))?.size === 0) await delay(EMPTY_MS, undefined, { ref: false })
  try {
    const { readScenarioFile } = await import('../emulator/surface/scenarios.js')
    const scenario = await readScenarioFile(file, emulator.registry)
    if (isDeepStrictEqual(scenario, old)) return
    scenarios.replace(old, scenario)
    const { invokeAction } = await import('../emulator/surface/starting.js')
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
