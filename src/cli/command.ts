/** A command of the command line. Declared as data; what it needs is loaded when it runs. */
export interface CliCommand {
  /** Its name and what it works on, as commander writes them: `exec [command...]`. */
  readonly usage: string
  readonly says: string
  readonly options: readonly CliOption[]
  /** Lines to copy, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** Everything behind the first operand belongs to it, options too; left out: options may stand anywhere. */
  readonly passesOptionsOn?: boolean
  /** Answers the exit code. @throws EmulatorError */
  readonly run: (given: Given) => Promise<number>
}

export interface CliOption {
  /** As commander writes it: `--port <number>`. */
  readonly flags: string
  readonly says: string
  /** May be given several times; left out: the last one holds. */
  readonly repeats?: boolean
}

/** What stood on the command line. */
export interface Given {
  /** By name in camelCase; a repeatable option as a list, one without value as true. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly operands: readonly string[]
}
