const { rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startEmulator } = require('backlot')
require('backlot/matchers/jest')
const { makePicture } = require('../src/studio')

// Without the helper: an emulator that is started and stopped by hand, in the process of the test.
const state = join(tmpdir(), `backlot-example-${process.pid}.state`)
afterAll(() => rmSync(state, { force: true }))

const withEmulator = async (work) => {
  const emulator = await startEmulator({ state })
  process.env.STUDIO_API_BASE = emulator.url
  process.env.STUDIO_API_KEY = 'my-key'
  try {
    return await work(emulator.account('my-key'))
  } finally {
    await emulator.stop()
  }
}

test('what an emulator has done outlives it in its state file', async () => {
  const before = await withEmulator(async (account) => {
    await expect(await makePicture('a lighthouse')).toBeAnImage()
    return account.read()
  })
  await withEmulator(async (account) => {
    expect(before.imagesMade).toBe(1)
    expect(await account.read()).toEqual(before)
  })
})
