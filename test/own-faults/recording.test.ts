import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseRecording } from '../../src/traffic/parse.js'
import { backlot } from '../cli/backlot.js'
import { createVideo } from '../cli/requests.js'
import { newFolder } from '../folder.js'

// A limit of the size of files stands for a full disk.
test.skipIf(process.platform === 'win32')(
  'a recording ends where the disk is full, and no call with it',
  async () => {
    const folder = newFolder()
    const file = join(folder, 'session.jsonl')
    const args = ['start', '--port', '0', '--json', '--record', file]
    const running = backlot(args, { before: ['bash', '-c', 'ulimit -f 4; exec "$0" "$@"'] })
    const { url } = JSON.parse(await running.line())
    const statuses: number[] = []
    for (let call = 0; call < 12; call += 1) statuses.push((await createVideo(url)).status)
    expect(statuses).toEqual(Array(12).fill(200))
    running.process.kill('SIGTERM')
    const { code, err } = await running.ended
    expect(code).toBe(0)
    expect(err).toMatch(
      /^backlot: The recording cannot be written: \S+session\.jsonl ends here: EFBIG[^\n]*\nMake room[^\n]*\n$/,
    )
    const { lines, isCut } = parseRecording(await readFile(file, 'utf8'))
    expect([lines.length > 1, isCut]).toEqual([true, true])
  },
)

test.skipIf(process.platform !== 'linux')('a recording that cannot begin is refused', async () => {
  const { code, err } = await backlot(['start', '--port', '0', '--record', '/dev/full']).ended
  expect(code).toBe(2)
  expect(err).toContain('The recording cannot be written to /dev/full: no space is left on the device.')
})
