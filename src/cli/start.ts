import { spawn } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import {
  type CliCommand,
  numberLike,
  type Options,
  parsedOption,
  usageError,
  warn,
} from '../command/command.js'
import { type CommandSettings, readCommandSettings, settingOptions } from '../command/settings/read.js'
import { onFirstSignal } from '../command/signals.js'
import { PAGE_PATH } from '../emulator/surface/journal.js'
import { delay } from '../emulator/surface/records.js'
import type { Settings } from '../emulator/surface/starting.js'
import { launch, recordOption } from './launch.js'
import { eventOfDropped, jsonLines, printerOf, type Reporter } from './reporter.js'
import { quietScreen, screen } from './screen.js'

export const command: CliCommand = {
  usage: 'start',
  description: 'start the emulator and keep it running; plain `backlot` does the same',
  options: [
    ...settingOptions(),
    recordOption,
    {
      flags: '--processes <number>',
      description: 'how many processes answer on the port; needs --store; default: 1',
    },
    { flags: '--open', description: 'open the page of the emulator in the browser' },
  ],
  examples: [
    ['backlot start', 'http://127.0.0.1:4650, until Ctrl-C'],
    ['backlot start --open', 'shows its page in the browser'],
    ['backlot start --port 0 --json', 'a free port, named in the first line of JSON'],
    ['backlot start --clock paused --seed 7', 'time moves when the control API is told to'],
    ['backlot start --store redis://127.0.0.1:6379 --processes 4', 'four processes on one port'],
    ['backlot start --set fetchMedia=all', 'any setting by its key'],
  ],
  // Runs an emulator in the foreground until a signal stops it.
  run: async ({ options }) => {
    const signalled = firstSignal()
    const read = await readCommandSettings({ options })
    const processes = processesOf(options, read.settings.store)
    if (cluster.isPrimary) read.warnings.forEach(warn)
    if (processes > 1 && cluster.isPrimary)
      return runProcesses(processes, await portOf(read.settings), signalled)
    const reporter = reporterFor(read)
    const settings = cluster.isWorker ? { ...read.settings, port: Number(process.env[PORT]) } : read.settings
    const { emulator, url, close } = await launch(settings, reporter, options)
    // Of several processes one opens it, once.
    if (options.open === true && (cluster.worker?.id ?? 1) === 1) await openPage(`${url}${PAGE_PATH}`)
    await signalled
    await close()
    reporter.stopped()
    // Answered tasks are lost where the state file could not be written. Of a store, calls are refused meanwhile.
    return read.settings.state !== undefined && emulator.persistence?.facts().trouble !== null ? 1 : 0
  },
}

/** Variable of each of several processes: whether it reports for all of them, and says that they are ready. */
const REPORTS = 'BACKLOT_PROCESS_REPORTS'
/** Variable of each of several processes: the port of all. */
const PORT = 'BACKLOT_PROCESS_PORT'

type Reports = 'from-start' | 'from-restart' | 'no'

const reporterFor = (read: CommandSettings): Reporter => {
  const reports = cluster.isWorker ? process.env[REPORTS] : 'from-start'
  if (reports === 'no') return { started: () => {}, stopped: () => {} }
  const reporter = fullReporterFor(read)
  return reports === 'from-restart' ? { ...reporter, started: () => {} } : reporter
}

const fullReporterFor = ({ json, quiet }: CommandSettings): Reporter => {
  if (json) return jsonLines(printerOf(process.stdout, eventOfDropped), { isQuiet: quiet })
  const print = printerOf(process.stdout)
  return quiet ? quietScreen(print) : screen(print)
}

/** Resolves at the first signal to stop. A second one ends the process at once, unless it repeats the first. */
export const firstSignal = (source?: NodeJS.EventEmitter): Promise<NodeJS.Signals> =>
  new Promise((resolve) => void onFirstSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], resolve, source))

/** The program of each platform that opens an address in the browser, and what it is given before the address. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens the page in the browser of this machine, without a shell. The emulator runs all the same where there is no browser, as
 * in a container. A token is no part of the address: every user of the machine can read the arguments of a process.
 */
const openPage = async (url: string): Promise<void> => {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  try {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, shell: false })
    await once(child, 'spawn')
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) warnNotOpened(url, `${program} ended with exit code ${code}`)
    })
    // The browser outlives the emulator.
    child.unref()
  } catch (error) {
    warnNotOpened(url, `${program} cannot be started: ${(error as Error).message}`)
  }
}

const warnNotOpened = (url: string, problem: string): void =>
  warn(`The page was not opened (${problem}). It is at ${url}`)

/** The number of processes that the options ask for. @throws EmulatorError `wrong-usage` */
const processesOf = (options: Options, store: string | undefined): number => {
  const parse = numberLike(/^[1-9]\d?$/)
  const count = parsedOption('--processes', options.processes, 'a number from 1 to 99', parse) ?? 1
  if (count > 1 && store === undefined)
    throw usageError(
      '--processes needs --store: several processes can answer for the same accounts where they share a store.',
      'Name a Redis or Valkey server: --store redis://127.0.0.1:6379.',
    )
  if (count > 1 && options.record !== undefined)
    throw usageError('--record writes one file, which several processes (--processes) cannot share.')
  return count
}

/**
 * Port of several processes. For port 0 it is a free one: Node lets go of a port whose processes have all ended, and one that is
 * then started would get another port. The price is that another program may take it before the first process does.
 */
const portOf = async ({ port, host }: Settings): Promise<number> => {
  if (port !== 0) return port
  const server = createServer().listen({ port, host })
  try {
    await once(server, 'listening')
  } catch {
    // The first process says why.
    return port
  }
  const free = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return free
}

const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 5_000

/**
 * Runs processes that share a port, and starts one anew where it ends. This one only watches.
 * @param signalled resolves when all are to stop
 * @returns the exit code: that of the first process where it ended without having listened
 */
const runProcesses = async (count: number, port: number, signalled: Promise<unknown>): Promise<number> => {
  let hasListened = false
  let isStopping = false
  let delayMs = FIRST_DELAY_MS
  const workers = new Set<Worker>()
  let finish = (_: number) => {}
  const finished = new Promise<number>((resolve) => {
    finish = resolve
  })

  /** The first one reports, and what is started in its place. */
  const start = (reports: Reports): void => {
    const worker = cluster.fork({ [REPORTS]: reports, [PORT]: port })
    workers.add(worker)
    worker.once('listening', () => {
      // The others begin once the first has the port, so that what is wrong is said once.
      if (!hasListened) for (let others = 1; others < count; others += 1) start('no')
      hasListened = true
      delayMs = FIRST_DELAY_MS
    })
    worker.once('exit', (code, signal) => void ended(worker, reports, { code, signal }))
  }

  const ended = async (
    worker: Worker,
    reports: Reports,
    { code, signal }: { readonly code: number | null; readonly signal: string | null },
  ): Promise<void> => {
    workers.delete(worker)
    if (!hasListened) return finish(code ?? 1)
    if (isStopping) return workers.size === 0 ? finish(0) : undefined
    warn(`A process ended (${signal ?? `exit code ${code}`}) and is started anew.`)
    await delay(delayMs)
    delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
    if (!isStopping) start(reports === 'from-start' ? 'from-restart' : reports)
  }

  void signalled.then(() => {
    isStopping = true
    if (workers.size === 0) finish(0)
    for (const worker of workers) worker.process.kill('SIGTERM')
  })
  start('from-start')
  return finished
}
