import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { creates, waitForIdle, wireOf } from './calls.js'
import { load } from './load.js'
import { inFullOr } from './measure.js'
import { row, type Table } from './report.js'
import { startServer } from './server.js'

const CREATES = inFullOr(30_000, 5_000)

/** As V8 writes it. Times are microseconds. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      /** From 0. */
      readonly lineNumber: number
    }
  }[]
  /** The node of each sample, and the time since the one before. */
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Source folders of the lines of built files, which name the source of each of their parts. */
const createFolderOf = async () => {
  const folders = new Map<string, string[]>()
  const read = async (url: string): Promise<string[]> => {
    let folder = 'others'
    return (await readFile(fileURLToPath(url), 'utf8')).split('\n').map((line) => {
      const [, source] = /^\/\/#region (.*)$/.exec(line) ?? []
      if (source !== undefined) folder = folderOfSource(source)
      return folder
    })
  }
  return async (url: string, line: number): Promise<string> => {
    const known = folders.get(url) ?? (await read(url))
    folders.set(url, known)
    return known[line] ?? 'others'
  }
}

const folderOfSource = (source: string): string =>
  /^src\/emulator\/(?:core\/)?\w+(?=\/)|^src\/\w+(?=\/)/.exec(source)?.[0] ??
  /node_modules\/(\w+)/.exec(source)?.[1] ??
  'others'

const natives: Readonly<Record<string, string>> = {
  writev: "the system's write",
  writeUtf8String: "the system's write",
  '(garbage collector)': 'garbage collection',
}

/** Shares of the processor time of the main thread by which part of the program takes it, of B creates one after the other. */
export const profile = async (): Promise<Table[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
    const options = ['--port', '0', '--json', '--quiet', '--speed', '4']
    const server = await startServer(...flags, 'dist/cli.js', 'start', ...options)
    await load(server.url, CREATES, wireOf(server.url, creates.B))
    await waitForIdle(server.url)
    await server.stop()
    const file = (await readdir(folder)).find((name) => name.endsWith('.cpuprofile')) ?? ''
    const shares = await sharesOf(JSON.parse(await readFile(join(folder, file), 'utf8')))
    const rows = shares.map(([name, share]) => row(name, '%', 100 * share))
    const note = `Of the second half of ${CREATES.toLocaleString('en')} creates; parts below 1 % are one.`
    return [{ title: 'Where the time of a B create goes', note, rows }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const sharesOf = async ({ nodes, samples, timeDeltas }: CpuProfile): Promise<[string, number][]> => {
  const folderOf = await createFolderOf()
  const parts = new Map<number, string>()
  for (const { id, callFrame } of nodes) {
    const { functionName: name, url, lineNumber } = callFrame
    if (name === '(idle)') continue
    if (url.startsWith('node:')) parts.set(id, "Node's http and streams")
    else parts.set(id, url === '' ? (natives[name] ?? 'others') : await folderOf(url, lineNumber))
  }
  // The first half is start and warm-up.
  const begin = samples.length / 2
  const times = new Map<string, number>()
  let sum = 0
  for (let index = Math.ceil(begin); index < samples.length; index += 1) {
    const part = parts.get(samples[index] as number)
    if (part === undefined) continue
    const time = timeDeltas[index] as number
    times.set(part, (times.get(part) ?? 0) + time)
    sum += time
  }
  const shares = [...times].map(([part, time]): [string, number] => [part, time / sum])
  const large = shares.filter(([part, share]) => share >= 0.01 && part !== 'others')
  const rest = 1 - large.reduce((total, [, share]) => total + share, 0)
  return [...large.sort(([, one], [, other]) => other - one), ['others', rest]]
}
