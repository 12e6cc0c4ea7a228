import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../../src/index.js'
import { uploadAsset } from '../../../src/ui/state/asset-upload.js'

const KEY = 'alice-key'
const TASKS = '/provB/api/v3/contents/generations/tasks'

/** An upload to an emulator with a paused clock, which moves on while the file is processed. */
const openLibrary = async () => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  const { clock } = emulator.account(KEY)
  const call = (path: string, init: RequestInit = {}) =>
    fetch(emulator.url + path, { ...init, headers: { authorization: `Bearer ${KEY}`, ...init.headers } })
  const steps: string[] = []
  let changed = () => {}
  const parts = {
    call,
    nextChange: () => new Promise<void>((resolve) => (changed = resolve)),
    onProcessing: async () => {
      steps.push('processing')
      await clock.advance({ to: 'next' })
      changed()
    },
  }
  const upload = async (name: string, content: Uint8Array<ArrayBuffer>) =>
    uploadAsset(parts, new File([content], name))
  return { call, upload, steps }
}

const fixture = async (name: string) => new Uint8Array(await readFile(`fixtures/media/${name}`))

test('an upload is followed until requests can name its asset', async () => {
  const { call, upload, steps } = await openLibrary()
  const url = await upload('mine.png', await fixture('first-frame.png'))
  expect(steps).toEqual(['processing'])
  const content = [
    { type: 'text', text: 'a lighthouse' },
    { type: 'image_url', image_url: { url }, role: 'first_frame' },
  ]
  const body = JSON.stringify({ model: 'videoa-2-0-260128', content })
  const created = await call(TASKS, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect(created.status).toBe(200)
})

test('an upload that the library refuses says its status and its reason', async () => {
  const { upload, steps } = await openLibrary()
  await expect(upload('notes.txt', new TextEncoder().encode('no picture'))).rejects.toThrow(
    /^The asset library answered with 400: file must be an image/,
  )
  expect(steps).toEqual([])
})

test('an upload whose job fails says what is wrong with the file', async () => {
  const { upload } = await openLibrary()
  await expect(upload('narrow.png', await fixture('side-299.png'))).rejects.toThrow(
    'The asset library did not take narrow.png: width must be 300 to 6000 pixels, found 299.',
  )
})
