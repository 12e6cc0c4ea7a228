import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** More calls than start in one turn of the event loop. */
const program = `
const { mock } = require('node:test')
const { get } = require('node:http')
const { startEmulator } = require('./dist/index.cjs')
const statusOf = (url) => new Promise((resolve, reject) =>
  get(url, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject))
void (async () => {
  const emulator = await startEmulator()
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] })
  for (let call = 0; call < 40; call += 1) await statusOf(emulator.url + '/none')
  mock.timers.reset()
  await emulator.stop()
  console.log('answered')
})()
`

test('an emulator of the CommonJS build answers though a test has replaced all timers of its process', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { timeout: 15_000 })
  expect(stdout).toContain('answered')
})
