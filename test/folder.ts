import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for the length of a test, which is removed with all that is in it. */
export const newFolder = (under = tmpdir()): string => {
  const folder = mkdtempSync(join(under, 'backlot-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
