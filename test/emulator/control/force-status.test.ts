import { expect, onTestFinished, test } from 'vitest'
import { type ErrorName, startEmulator } from '../../../src/index.js'
import { clientOf } from '../../emulator.js'

const start = async () => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  return { emulator, ...clientOf(emulator.url, emulator.key) }
}

test('a task that is failed without an error takes the internal error of its family', async () => {
  const { emulator, createB } = await start()
  const { status, timeline } = await emulator.tasks.fail(await createB())
  expect(status).toBe('failed')
  expect(timeline.at(-1)).toMatchObject({ status: 'failed', error: 'InternalServiceError' })
})

test('a task that is held in the status that it has has not changed', async () => {
  const { emulator, createB } = await start()
  const id = await createB()
  await emulator.tasks.force(id, 'running')
  const { timeline } = await emulator.tasks.get(id)
  await emulator.clock.advance('1m')
  expect((await emulator.tasks.force(id, 'running')).timeline).toEqual(timeline)
})

test('the progress of a task that is held while it runs stays where it is, also after an import', async () => {
  const { emulator, createB } = await start()
  const id = await createB()
  await emulator.clock.advance({ to: 'next' })
  await emulator.clock.advance('1s')
  const { progress } = await emulator.tasks.get(id)
  expect(progress).toBeGreaterThan(30)
  await emulator.tasks.force(id, 'running')
  await emulator.clock.advance('1m')
  expect((await emulator.tasks.force(id, 'running')).progress).toBe(progress)
  const state = await (await fetch(`${emulator.url}/_backlot/state`)).text()
  expect((await fetch(`${emulator.url}/_backlot/state`, { method: 'PUT', body: state })).status).toBe(200)
  expect(await emulator.tasks.get(id)).toMatchObject({ status: 'running', progress })
})

test('a task goes on and never back: it is refused a status that it has passed', async () => {
  const { emulator, createB, ask } = await start()
  const refusal = (status: string) => ({
    code: 'task-has-passed',
    message: expect.stringContaining(`is running: it cannot be ${status} again.`),
  })
  const id = await createB()
  await emulator.tasks.force(id, 'queued')
  await emulator.tasks.force(id, 'running')
  const { timeline } = await emulator.tasks.get(id)
  await expect(emulator.tasks.force(id, 'queued')).rejects.toMatchObject(refusal('queued'))
  expect((await ask('PATCH', `/_backlot/tasks/${id}`, { status: 'queued' })).status).toBe(409)
  expect((await emulator.tasks.get(id)).timeline).toEqual(timeline)
  const reference = { type: 'character', image: ['https://media.test/1.png'] }
  const body = { model: 'beta2.7-r2v', prompt: 'a lighthouse', subject_reference: [reference] }
  const other = (await ask('POST', '/v1/videos', body)).body.id
  for (const status of ['pending', 'queued', 'running'] as const) await emulator.tasks.force(other, status)
  for (const status of ['pending', 'queued'] as const)
    await expect(emulator.tasks.force(other, status)).rejects.toMatchObject(refusal(status))
})

test('an unknown error is answered with the names that there are', async () => {
  const { emulator, createB } = await start()
  await expect(emulator.tasks.fail(await createB(), 'x' as ErrorName)).rejects.toMatchObject({
    code: 'unknown-error',
    message: expect.stringMatching(
      /found "x"\.\s+Possible are: (?=.*InternalServiceError).*ServerOverloaded/,
    ),
  })
})
