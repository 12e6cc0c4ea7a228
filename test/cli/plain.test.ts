import { expect, test } from 'vitest'
import { readPlainly } from '../../src/cli/plain.js'
import { start } from '../../src/cli/start/command.js'
import { parsed } from './settings/sources.js'

test.each([
  [[]],
  [['--port', '0', '--json']],
  [['--port=8080', '--public-url', 'http://a.test']],
  [['--seed', '1', '--seed', '2']],
  [['--account', 'a', '--account', 'b', '--set', 'x=1=2', '--callback-hosts', '*']],
  [['--control-token', '', '--strict', '--quiet', '--start-at', '2026-01-01T00:00:00Z']],
])('%j is read as the whole parser reads it', async (args) =>
  expect(readPlainly(start, ['start', ...args])?.options).toEqual(await parsed(args)),
)

test.each([
  ['another command', ['exec', '--seed', '1']],
  ['help', ['start', '--help']],
  ['help in short', ['start', '-h']],
  ['a misspelt option', ['start', '--prot', '1']],
  ['something left over', ['start', 'now']],
  ['a missing value', ['start', '--port']],
  ['a value for a switch', ['start', '--json=yes']],
])('%s is left to the whole parser', (_, args) => expect(readPlainly(start, args)).toBeUndefined())
