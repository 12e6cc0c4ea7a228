import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ended } from '../cli/backlot.js'

const inRemovedFolder = ['bash', '-c', 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$0" "$@"']

test.skipIf(process.platform === 'win32').each([['exec -- true'], ['start --port 0'], ['init']])(
  '%s: a working directory that was removed is told',
  async (line) => {
    expect(await ended(line.split(' '), { before: inRemovedFolder })).toEqual({
      code: 1,
      out: '',
      err: 'backlot: The working directory is no longer there.\nChange into a folder that is there.\n',
    })
  },
)

/** Removes its working directory before anything was loaded late, and changes back. */
const program = `
const { mkdtempSync, rmdirSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { startEmulator } = require('./dist/index.cjs')
void (async () => {
  const emulator = await startEmulator()
  const created = await fetch(emulator.url + '/provA/api/v1/services/aigc/multimodal-generation/generation', {
    method: 'POST',
    headers: { authorization: 'Bearer my-key' },
    body: JSON.stringify({
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: 'a pier' }] }] },
    }),
  })
  const urls = [emulator.url + '/_backlot/health', /http[^"]+/.exec(await created.text())[0]]
  const answers = () => Promise.all(urls.map(async (url) => {
    const answer = await fetch(url)
    const text = await answer.text()
    return [answer.status, /the working directory is no longer there/.exec(text)?.[0]]
  }))
  const before = process.cwd()
  const folder = mkdtempSync(tmpdir() + '/')
  process.chdir(folder)
  rmdirSync(folder)
  const gone = await answers()
  process.chdir(before)
  console.log(JSON.stringify([gone, await answers()]))
  await emulator.stop()
})()
`

test.skipIf(process.platform === 'win32')(
  'what is loaded at its first use works again once there is a working directory',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { timeout: 15_000 })
    const gone = [500, 'the working directory is no longer there']
    expect(JSON.parse(stdout)).toEqual([
      [gone, gone],
      [
        [200, null],
        [200, null],
      ],
    ])
  },
)
