/** What the emulator needs from the machine it runs on, and can be without for a while. */
export const dependencies = {
  pictures: 'Pictures cannot be drawn',
  videos: 'Videos cannot be drawn',
  inputs: 'What users send cannot be kept',
  'large-bodies': 'Large request bodies cannot be read',
  listening: 'Connections cannot be taken',
  log: 'The log cannot be written',
  state: 'What happens cannot be written into the state file',
} as const

export type Dependency = keyof typeof dependencies

/** A fault of the emulator's surroundings, or its end. */
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
