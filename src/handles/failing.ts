import type { ScenarioAnswer, ScenarioDocument, ScenarioSelector } from './scenario-document.js'

/** How calls of an operation fail: an error of its family by its name, or a status; and which calls do. */
export interface Failing extends Pick<ScenarioAnswer, 'error' | 'status' | 'retryAfter' | 'body' | 'text'> {
  /** How often; left out: until it is stopped. */
  readonly times?: number | undefined
  /** Which of the calls; left out: every one. */
  readonly when?: Omit<ScenarioSelector, 'operation' | 'callback'> | undefined
  /** Not having failed at the end of a test is a failure of the test. */
  readonly required?: boolean | undefined
}

/** `b-video-task.create` failing with `ServerOverloaded` as a scenario of one step. */
export const failingScenario = (
  operation: string,
  { times, when = {}, required, ...answer }: Failing,
): ScenarioDocument => {
  const how = answer.error ?? String(answer.status ?? 200)
  return {
    name: `fail-${wordsOf(operation)}-${wordsOf(how)}`,
    says: `${operation} fails with ${how}.`,
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    steps: [{ when: { ...when, operation }, then: { answer }, times, required }],
  }
}

const wordsOf = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
