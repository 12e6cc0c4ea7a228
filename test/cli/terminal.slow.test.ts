import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const canTry = process.platform !== 'win32' && spawnSync('python3', ['--version']).status === 0

/** What becomes of an emulator whose terminal is stopped with Ctrl-S. */
const onStoppedTerminal = async (...args: string[]) => {
  const script = join(import.meta.dirname, 'stopped-terminal.py')
  const { stdout } = await promisify(execFile)('python3', [script, ...args])
  return JSON.parse(stdout)
}

describe.runIf(canTry)('a terminal that is stopped with Ctrl-S', { timeout: 120_000 }, () => {
  test.each([
    ['lines of the screen', []],
    ['JSON', ['--json']],
    ['the log', ['--quiet', '--log-file', '-']],
    ['the screen and the log', ['--log-file', '-']],
  ])('keeps neither answers nor the end waiting: %s', async (_, args) => {
    const ended = await onStoppedTerminal('200', ...args)
    expect(ended).toMatchObject({ statuses: [200], meanwhile: 0, code: 0 })
  })

  test('shows the lines of that time once it goes on', async () => {
    const { later, code } = await onStoppedTerminal('--continue', '20', '--json')
    expect(later).toBeGreaterThan(20 * '{"event":"request"}'.length)
    expect(code).toBe(0)
  })
})
