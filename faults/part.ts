/** Options of a part of the suite; a part without random choices ignores the seed. */
export interface Options {
  /** Seed of all random choices, so that a run can be repeated. */
  readonly seed: number
  /** Number of rounds; default: the part's own. */
  readonly times?: number
  /** How late a machine may be, in milliseconds; more for a busy one. */
  readonly lateMs?: number
}

/** Result of a part. */
export interface Outcome {
  /** What was done and what came of it, in one line. */
  readonly line: string
  /** Everything that did not hold, in words that let it be repeated. */
  readonly failures: readonly string[]
}

export type Part = (options: Options) => Promise<Outcome>

/** Prints a line at once. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)
