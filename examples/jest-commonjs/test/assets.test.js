const { useEmulator } = require('backlot/jest')
require('backlot/matchers/jest')
const { uploadAsset } = require('../src/assets')

const emulator = useEmulator({ env: { ASSET_API_BASE: '{url}/v1', ASSET_API_KEY: '{key}' } })

const picture = async (name) => {
  const response = await fetch(`${emulator.url}/_backlot/fixtures/${name}`)
  return new Uint8Array(await response.arrayBuffer())
}

test('an uploaded picture gets an id', async () => {
  const id = await uploadAsset(await picture('first-frame.png'), 'frame.png', { pauseMs: 1 })
  expect(id).toMatch(/^asset-/)
  await expect(emulator).toHaveReceived('d-assets.upload', { status: 200, times: 1 })
})

test('a damaged picture is told', async () => {
  const damaged = (await picture('first-frame.png')).slice(0, 100)
  await expect(uploadAsset(damaged, 'frame.png', { pauseMs: 1 })).rejects.toThrow()
})

test('an account that has not agreed may not upload', async () => {
  await emulator.change({ agreementAccepted: false })
  await expect(uploadAsset(await picture('first-frame.png'), 'frame.png')).rejects.toThrow('agreement')
})
