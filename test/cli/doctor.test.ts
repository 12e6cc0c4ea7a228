import { expect, test } from 'vitest'
import { ended } from './backlot.js'

test('it makes a picture and a video, and says with what', async () => {
  const { code, out } = await ended(['doctor'])
  expect(out).toMatch(/^ok +node +v\d+/m)
  expect(out).toMatch(/^ok +sharp +\d[\w.]+, libvips \d/m)
  expect(out).toMatch(/^ok +font +\/.+\/assets\/fonts\/NotoSansSC-Medium-letters\.bin$/m)
  expect(out).toMatch(/^ok +ffmpeg +\S+, \w.+: \//m)
  expect(out).toMatch(/^ok +picture +png, 256x144, \d+ bytes$/m)
  expect(out).toMatch(/^ok +video +mp4, h264 and aac, 256x144, 1 s, \d+ bytes$/m)
  expect(code).toBe(0)
})

test('an ffmpeg that does not run is missing, and so are videos', async () => {
  const { code, out } = await ended(['doctor', '--set', 'ffmpeg=/no/such/ffmpeg'])
  expect(code).toBe(1)
  expect(out).toMatch(/^ok +picture /m)
  expect(out).toMatch(/^missing +ffmpeg +The setting ffmpeg names \/no\/such\/ffmpeg/m)
  expect(out).toMatch(/^missing +video /m)
  expect(out).toMatch(/2 things are missing/)
})
