import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import { run } from '../../src/cli/program.js'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** A folder without a configuration file. */
const nowhere = fileURLToPath(new URL('.', import.meta.url))

export interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>
  /** Left out: a folder without a configuration file. */
  readonly folder?: string
  /** A program, with arguments, that runs it: a shell that sets limits. */
  readonly before?: readonly string[]
}

export interface Ended {
  /** 128 + n where a signal has ended it, as shells say. */
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A command line that runs, with every line that it prints. */
export interface Running {
  readonly process: ChildProcess
  /** The next line of standard output for which this is true; earlier ones are passed over. */
  line(isWanted?: (line: string) => boolean): Promise<string>
  /** The end, once it has come. */
  readonly ended: Promise<Ended>
}

/** On Windows `kill` ends another process at once, whatever the signal. */
export const hasSignals = process.platform !== 'win32'

/** The exit code of an emulator to which SIGTERM was sent. */
export const STOPPED = hasSignals ? 0 : 143

/** The mode of a file that only its owner can read; Windows has no modes. */
export const OWNER_ONLY = process.platform === 'win32' ? 0o666 : 0o600

const signalNumbers: Readonly<Record<string, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

// What the machine that tests says of Backlot and of proxies is not what is tested.
const cleaned = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^BACKLOT_|_proxy$/i.test(name)))

/** Runs `backlot` with these arguments, as it was built; it is ended with the test. */
export const backlot = (
  args: readonly string[],
  { environment, folder, before = [] }: Surroundings = {},
): Running => {
  const [program = '', ...rest] = [...before, process.execPath, CLI, ...args]
  const child = spawn(program, rest, {
    cwd: folder ?? nowhere,
    env: { ...cleaned(process.env), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { out: '', err: '' }
  child.stdout.on('data', (data) => {
    texts.out += data
  })
  child.stderr.on('data', (data) => {
    texts.err += data
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    process: child,
    line: async (isWanted = () => true) => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`It ended before the line came.\n${texts.out}\n${texts.err}`)
        if (isWanted(value)) return value
      }
    },
    ended: once(child, 'close').then(([code, signal]) => ({
      code: signal === null ? code : 128 + (signalNumbers[signal] ?? 0),
      ...texts,
    })),
  }
}

/** Runs `backlot` to its end. */
export const ended = (args: readonly string[], surroundings?: Surroundings): Promise<Ended> =>
  backlot(args, surroundings).ended

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/** The same in this process, for what neither listens nor depends on the process: it takes a fiftieth of the time. */
export const endedHere = async (args: readonly string[]): Promise<Ended> => {
  const texts = { out: '', err: '' }
  const hear = (name: 'out' | 'err') => (text: unknown, done?: unknown) => {
    texts[name] += text
    if (typeof done === 'function') done()
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('err')),
  ]
  const before = signals.map((name) => process.listeners(name))
  try {
    return { code: await run(args), ...texts }
  } finally {
    for (const spy of spies) spy.mockRestore()
    // A command keeps its handlers to the end of its process, which goes on here.
    for (const [index, name] of signals.entries())
      for (const listener of process.listeners(name))
        if (!before[index]?.includes(listener)) process.off(name, listener)
  }
}

export interface Ready {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly instance: string
  /** Left out where none was made. */
  readonly controlToken?: string
}

/** Starts an emulator on a free port and waits for it. */
export const started = async (
  args: readonly string[] = [],
  surroundings?: Surroundings,
): Promise<Running & Ready> => {
  const running = backlot(['start', '--port', '0', '--json', ...args], surroundings)
  const ready = JSON.parse(await running.line()) as Ready
  return { ...running, ...ready }
}
