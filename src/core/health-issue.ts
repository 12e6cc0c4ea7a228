/** Dependencies of the emulator on its machine that can fail for a while, with the sentence for each. */
export const dependencies = {
  pictures: 'Pictures cannot be drawn',
  videos: 'Videos cannot be drawn',
  inputs: 'What users send cannot be kept',
  'large-bodies': 'Large request bodies cannot be read',
  listening: 'Connections cannot be taken',
  log: 'The log cannot be written',
  state: 'What happens cannot be written into the state file',
  store: 'The shared store cannot be used',
  'store-tail': 'The shared store cannot be relied on',
} as const

export type Dependency = keyof typeof dependencies

/** Health issue: a dependency failed, or works again. */
export interface HealthIssue {
  readonly need: Dependency
  readonly state: 'begun' | 'over'
  /** Of the error: `ffmpeg-missing`, `disk-full`. */
  readonly code: string
  /** A sentence or two: what is wrong, and why. */
  readonly says: string
  /** What to do; empty where nothing is known, and when it is over. */
  readonly hint: string
  /** How many calls have met it so far. */
  readonly times: number
}

/** Reporter of health issues, as the parts that meet them see it. */
export interface HealthReporter {
  report(dependency: Dependency, error: unknown): void
  /** The dependency works. Cheap, so that it can be called every time. */
  resolve(dependency: Dependency): void
}

/** Reporter for parts that run on their own. */
export const noHealthReporter: HealthReporter = { report: () => {}, resolve: () => {} }
