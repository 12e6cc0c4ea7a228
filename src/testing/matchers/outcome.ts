/** What a matcher finds. `message` is asked for when the test fails: of a failed match, or of a match that should not be. */
export interface Outcome {
  readonly pass: boolean
  readonly message: () => string
}

/** The part of a framework's matchers that is needed here. */
export interface Matching {
  readonly isNot?: boolean
  readonly equals: (one: unknown, other: unknown, testers?: never) => boolean
  readonly utils: {
    readonly stringify: (value: unknown) => string
    readonly iterableEquality: unknown
    readonly subsetEquality: unknown
  }
}

/** Whether a value has at least what is expected of it, `expect.any(String)` and the like among it. */
export const holds = ({ equals, utils }: Matching, value: unknown, expected: unknown): boolean =>
  equals(value, expected, [utils.iterableEquality, utils.subsetEquality] as never)

const MOST_LINES = 20

/** The last lines under a title, or a sentence where there are none. */
export const listed = (title: string, lines: readonly string[], instead: string): string => {
  if (lines.length === 0) return instead
  const left = Math.max(0, lines.length - MOST_LINES)
  const shown = left === 0 ? lines : [`… ${left} before these`, ...lines.slice(left)]
  return [title, ...shown.map((line) => `  ${line}`)].join('\n')
}

/** `Expected the task cgt-1 not to have succeeded, and it is failed.` */
export const expected = (isNot: boolean | undefined, what: string, deed: string, found: string): string =>
  `Expected ${what} ${isNot === true ? 'not ' : ''}to ${deed}, ${found}.`
