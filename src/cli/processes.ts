import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { type Arguments, type CliOption, textOption, usageError, warn } from './command.js'
import type { Reporter } from './output/reporter.js'

export const processesOption: CliOption = {
  flags: '--processes <number>',
  description: 'how many processes answer on the port; needs --store; default: 1',
}

/** The number of processes that the options ask for. @throws EmulatorError `wrong-usage` */
export const processesOf = (options: Arguments['options'], store: string | undefined): number => {
  const text = textOption(options.processes)
  if (text === undefined) return 1
  if (!/^[1-9]\d?$/.test(text))
    throw usageError(`--processes must be a number from 1 to 99, found ${JSON.stringify(text)}.`)
  const count = Number(text)
  if (count > 1 && store === undefined)
    throw usageError(
      '--processes needs --store: several processes can answer for the same accounts where they share a store.',
      'Name a Redis or Valkey server: --store redis://127.0.0.1:6379.',
    )
  if (count > 1 && options.record !== undefined)
    throw usageError('--record writes one file, which several processes (--processes) cannot share.')
  return count
}

/** Whether this is one of the processes that answer, started by another one. */
export const isWorker = (): boolean => cluster.isWorker

/** Reporter of one of several processes: the first one reports for all of them. */
export const reporterOfWorker = (reporter: Reporter): Reporter =>
  cluster.worker === undefined || cluster.worker.id === 1
    ? reporter
    : { started: () => {}, stopped: () => {} }

const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 5_000

/**
 * Runs processes that share a port, and starts one anew where it ends. This one only watches.
 * @param signalled resolves when all are to stop
 * @returns the exit code: that of the first process where it ended without having listened
 */
export const runProcesses = async (count: number, signalled: Promise<unknown>): Promise<number> => {
  let hasListened = false
  let isStopping = false
  let delayMs = FIRST_DELAY_MS
  const workers = new Set<Worker>()
  let finish = (_: number) => {}
  const finished = new Promise<number>((resolve) => {
    finish = resolve
  })

  const start = (): void => {
    const worker = cluster.fork()
    workers.add(worker)
    worker.once('listening', () => {
      // The others begin once the first has the port, so that what is wrong is said once.
      if (!hasListened) for (let others = 1; others < count; others += 1) start()
      hasListened = true
      delayMs = FIRST_DELAY_MS
    })
    worker.once('exit', (code, signal) => void ended(worker, code, signal))
  }

  const ended = async (worker: Worker, code: number | null, signal: string | null): Promise<void> => {
    workers.delete(worker)
    if (!hasListened) return finish(code ?? 1)
    if (isStopping) return workers.size === 0 ? finish(0) : undefined
    warn(`A process ended (${signal ?? `exit code ${code}`}) and is started anew.`)
    await pause(delayMs)
    delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
    if (!isStopping) start()
  }

  void signalled.then(() => {
    isStopping = true
    if (workers.size === 0) finish(0)
    for (const worker of workers) worker.process.kill('SIGTERM')
  })
  start()
  return finished
}
