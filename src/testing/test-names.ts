import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountIdOf } from '../core/account/account-id.js'
import type { RunningTest } from './framework.js'

/**
 * Notes for the run of a sweep which test an account is for, so that its report can name the file. Does nothing outside of
 * a sweep.
 */
export const noteTest = (key: string, { file, name }: Pick<RunningTest, 'file' | 'name'>): void => {
  const folder = process.env.BACKLOT_SWEEP
  if (folder === undefined || folder === '') return
  const line = JSON.stringify({ kind: 'test', account: accountIdOf(key), file, test: name })
  appendFileSync(join(folder, `sightings-tests-${process.pid}.jsonl`), `${line}\n`)
}
