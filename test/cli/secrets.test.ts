import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../folder.js'
import { leaksIn, secrets, sendSecrets } from '../security/doors.js'
import { backlot, STOPPED } from './backlot.js'

/** The port of a URL in a text. */
const portIn = (text: string): number => Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1])

test.each([
  ['lines for people', []],
  ['the URL alone', ['--quiet']],
  ['JSON events', ['--json']],
])('nothing that is secret is printed, logged or recorded: %s', async (_, mode) => {
  const folder = newFolder()
  const [log, recording] = [join(folder, 'backlot.log'), join(folder, 'session.jsonl')]
  const { process, line, ended } = backlot(
    [
      ...['start', '--port', '0', ...mode, '--timing', 'instant', '--control-token', secrets.controlToken],
      ...['--set', `logFile=${log}`, '--set', 'logLevel=debug', '--record', recording],
      ...['--set', 'signingSecret=Unmistakable-signing-8f3kQ0', '--set', `mediaFolder=${folder}`],
    ],
    { folder },
  )
  const answers = await sendSecrets(portIn(await line((one) => one.includes('127.0.0.1'))))
  expect(answers.length).toBeGreaterThan(30)
  process.kill('SIGTERM')
  const { code, out, err } = await ended
  expect(code).toBe(STOPPED)
  for (const text of [out, err, await readFile(log, 'utf8'), await readFile(recording, 'utf8')])
    expect(leaksIn(text), text).toEqual([])
  expect(await readFile(log, 'utf8')).toContain('b-video-task.create')
  expect(await readFile(recording, 'utf8')).toContain('b-video-task.create')
})

test('a wrong setting is not repeated where it is a secret', async () => {
  const { ended } = backlot(['start', '--set', 'signingSecret=short-8f3kQ0'])
  const { code, err } = await ended
  expect(code).toBe(2)
  expect(err).toContain('signingSecret must be at least 16 characters long')
  expect(leaksIn(err)).toEqual([])
})
