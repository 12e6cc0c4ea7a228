import type { Target } from '../../test/hostile/target.js'

/** Many clients that all misbehave in one way. */
export interface Wave {
  readonly name: string
  /** What was done, where a number says more than the name; throws what did not hold. */
  readonly run: (target: Crowded) => Promise<string | undefined>
}

/** An emulator in another process, and how long it lets clients wait. */
export type Crowded = Pick<Target, 'port' | 'connect'>

/** The settings that the waves count on. */
export const impatient = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 5_000,
  unreadTimeoutMs: 5_000,
  maxConnections: 30_000,
} as const

/** Does something `count` times, so many of them at once. */
export const crowd = async (
  count: number,
  atOnce: number,
  act: (nth: number) => Promise<void>,
): Promise<void> => {
  let begun = 0
  const one = async () => {
    while (begun < count) {
      begun += 1
      await act(begun - 1)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, one))
}

export const hold = (isTrue: boolean, otherwise: string): void => {
  if (!isTrue) throw new Error(otherwise)
}
