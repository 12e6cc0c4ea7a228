/** Notes that something does not hold. */
export type Check = (holds: boolean, what: string) => void

/** Something that breaks around an emulator, and what it has to do then. */
export interface Fault {
  readonly name: string
  /** Answers in a few words what came of it, or why it could not be tried here. */
  run(check: Check): Promise<string>
}
