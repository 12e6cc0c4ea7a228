const { useEmulator } = require('backlot/jest')
require('backlot/matchers/jest')
const { uploadAsset } = require('../src/assets')
const { animate, makePicture } = require('../src/studio')

const emulator = useEmulator({
  env: {
    STUDIO_API_BASE: '{url}',
    STUDIO_API_KEY: '{key}',
    ASSET_API_BASE: '{url}/v1',
    ASSET_API_KEY: '{key}',
  },
})

test('a picture is uploaded and comes to life', async () => {
  const picture = await fetch(await makePicture('a lighthouse'))
  const bytes = await picture.arrayBuffer()
  await expect(bytes).toBeAnImage({ width: 768, height: 512, format: 'png' })

  const asset = await uploadAsset(bytes, 'lighthouse.png', { pauseMs: 1 })
  const video = await animate(asset, 'the light turns', { pauseMs: 1 })
  await expect(video).toBeAVideo({ seconds: 4, framesPerSecond: 24 })
  await expect(emulator).toHaveReceived('c-video.create', { times: 1, status: 200 })
})

test('a model that is not to be had right now is told', async () => {
  await emulator.scenario.play('no-channel-for-model')
  const asset = await uploadAsset(
    await (await fetch(`${emulator.url}/_backlot/fixtures/first-frame.png`)).arrayBuffer(),
    'frame.png',
    { pauseMs: 1 },
  )
  await expect(animate(asset, 'the light turns', { pauseMs: 1 })).rejects.toThrow()
  await expect(emulator).toHaveReceived('c-video.create', { times: 1, status: 503 })
})

test('a picture can be had for a day', async () => {
  const url = await makePicture('a lighthouse')
  await emulator.clock.advance('23h')
  await expect(url).toBeAnImage()
  await emulator.clock.advance('2h')
  expect((await fetch(url)).status).toBe(403)
})
