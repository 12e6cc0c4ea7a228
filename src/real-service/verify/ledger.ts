import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { parseJson } from '../../emulator/surface/journal.js'
import { EmulatorError, hash, systemReason } from '../../emulator/surface/records.js'

const exchange = z.looseObject({ says: z.string(), method: z.string(), path: z.string(), at: z.number() })

const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sending'),
    create: z.int(),
    operation: z.string(),
    says: z.string(),
    at: z.string(),
  }),
  z.object({ kind: z.literal('made'), create: z.int(), task: z.string().optional() }),
  z.object({ kind: z.literal('ended'), create: z.int(), how: z.string() }),
  z.object({ kind: z.literal('kept'), create: z.int(), exchanges: z.array(exchange) }),
])
type Line = z.output<typeof lineSchema>

/** Create that a run has sent and not ended. */
export interface OpenCreate {
  readonly create: number
  readonly operation: string
  readonly says: string
  /** ISO time at which it was sent. */
  readonly at: string
  /** Id of its task. Undefined where no answer came, so that it may have made one. */
  readonly task?: string | undefined
  /** Exchanges about it, where it was kept for a later look. */
  readonly kept?: readonly unknown[] | undefined
}

/**
 * Write-ahead log of creates: a line is on disk before the call is sent, so that a run which was killed knows what it has to cancel.
 * The file is removed once nothing is open.
 */
export class Ledger {
  readonly file: string
  readonly #open: Map<number, OpenCreate>
  #count: number

  private constructor(file: string, lines: readonly Line[]) {
    this.file = file
    this.#open = openIn(lines)
    this.#count = Math.max(0, ...lines.map(({ create }) => create))
  }

  /**
   * Reads the log of a service, or begins one.
   * @throws EmulatorError `bad-recording` where the file is another one
   */
  static read(file: string): Ledger {
    let text = ''
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(file, systemReason(error))
    }
    const written = text.split('\n').filter((line) => line !== '')
    const lines = written.map((line) => lineSchema.safeParse(parseJson(line)))
    const wrong = lines.findIndex(({ success }, index) => !success && index < lines.length - 1)
    if (wrong >= 0) throw unusable(file, `its line ${wrong + 1} is none of such a file`)
    // A killed process may have cut its last line, and nothing may follow a part of a line.
    if (lines.at(-1)?.success === false) writeFileSync(file, linesText(written.slice(0, -1)), { mode: 0o600 })
    return new Ledger(
      file,
      lines.flatMap(({ data }) => data ?? []),
    )
  }

  /** What was sent and has neither ended nor been refused. */
  get open(): readonly OpenCreate[] {
    return [...this.#open.values()]
  }

  /** Writes down a create that is about to be sent. Returns its number. */
  sending(operation: string, says: string, at: string): number {
    this.#count += 1
    const create = this.#count
    this.#write({ kind: 'sending', create, operation, says, at })
    this.#open.set(create, { create, operation, says, at })
    return create
  }

  made(create: number, task: string | undefined): void {
    this.#write({ kind: 'made', create, ...(task === undefined ? {} : { task }) })
    const before = this.#open.get(create)
    if (before !== undefined) this.#open.set(create, { ...before, task })
  }

  ended(create: number, how: string): void {
    this.#open.delete(create)
    this.#write({ kind: 'ended', create, how })
  }

  /** Keeps a task for a later look. */
  keep(create: number, exchanges: readonly object[]): void {
    this.#write({ kind: 'kept', create, exchanges: exchanges as never })
    const before = this.#open.get(create)
    if (before !== undefined) this.#open.set(create, { ...before, kept: exchanges })
  }

  /** Removes the file where nothing is open any more. */
  close(): void {
    if (this.#open.size === 0) rmSync(this.file, { force: true })
  }

  #write(line: Line): void {
    try {
      appendFileSync(this.file, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true })
    } catch (error) {
      throw unusable(this.file, systemReason(error))
    }
  }
}

const linesText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const openIn = (lines: readonly Line[]): Map<number, OpenCreate> => {
  const open = new Map<number, OpenCreate>()
  for (const line of lines) {
    const before = open.get(line.create)
    if (line.kind === 'sending') open.set(line.create, line)
    else if (line.kind === 'ended') open.delete(line.create)
    else if (before !== undefined && line.kind === 'made')
      open.set(line.create, { ...before, task: line.task })
    else if (before !== undefined && line.kind === 'kept')
      open.set(line.create, { ...before, kept: line.exchanges })
  }
  return open
}

/** Hash of the host of a service, which names it without telling it. */
export const hostHash = (target: string): string =>
  hash('sha256', `host|${new URL(target).host}`, 'hex').slice(0, 12)

const unusable = (file: string, why: string): EmulatorError =>
  new EmulatorError(`${file}, in which creates are noted before they are sent, cannot be used: ${why}.`, {
    code: 'bad-recording',
    hint: 'Name another file with --creates-file.',
  })
