import { expect, test } from 'backlot/playwright'

test('a visitor orders a video and can play it', async ({ page, emulator }) => {
  await page.goto('/')
  await page.getByLabel('Prompt').fill('a lighthouse')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Here it is.')
  await expect(await page.locator('video').getAttribute('src')).toBeAVideo({ seconds: 4 })
  await expect(emulator).toHaveReceived('b-video-task.create', { times: 1 })
})

test('a visitor is told when the service has no room', async ({ page, emulator }) => {
  await emulator.fail('b-video-task.create', { error: 'ServerOverloaded', times: 1 })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('a lighthouse')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toContainText('No video today')
})

test('a visitor is told when the video fails', async ({ page, emulator }) => {
  await emulator.clock.change({ mode: 'paused' })
  await page.goto('/')
  await page.getByLabel('Prompt').fill('a lighthouse')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('The video is queued.')
  const [task] = await emulator.tasks.list()
  await emulator.tasks.fail(task.id)
  await emulator.clock.advance({ to: 'idle' })
  await expect(page.getByRole('status')).toHaveText(/internal/i)
})
