import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { accountIdOf } from '../core/account/account-id.js'
import type { RunningTest } from './framework.js'

/** What is noted of a test: from `at` on, in Unix milliseconds, the account is that test's. */
const lineOf = (key: string, { file, name }: Pick<RunningTest, 'file' | 'name'>): string =>
  `${JSON.stringify({ kind: 'test', account: accountIdOf(key), at: Date.now(), file, test: name })}\n`

/**
 * Notes which test an account is for, so that the reports of a sweep and of a coverage run can name it. Does nothing outside
 * of these.
 */
export const noteTest = (key: string, test: Pick<RunningTest, 'file' | 'name'>): void => {
  const { BACKLOT_SWEEP: sweep, BACKLOT_COVERAGE: coverage } = process.env
  if (sweep) appendFileSync(join(sweep, `sightings-tests-${process.pid}.jsonl`), lineOf(key, test))
  if (!coverage) return
  mkdirSync(coverage, { recursive: true })
  appendFileSync(join(coverage, `tests-${process.pid}.jsonl`), lineOf(key, test))
}
