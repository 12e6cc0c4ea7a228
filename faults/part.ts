/** What a part of the suite is given; a part that draws nothing needs no seed. */
export interface Options {
  /** What everything drawn depends on, so that a run can be repeated. */
  readonly seed: number
  /** How often; left out, as often as the part thinks right. */
  readonly times?: number
  /** What a machine may be late, in milliseconds; more for one that has other things to do. */
  readonly lateMs?: number
}

/** What came of a part. */
export interface Outcome {
  /** What was done and what came of it, in one line. */
  readonly line: string
  /** Everything that did not hold, in words that let it be repeated. */
  readonly failures: readonly string[]
}

export type Part = (options: Options) => Promise<Outcome>

/** `says` prints a line at once, for whoever waits. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)
