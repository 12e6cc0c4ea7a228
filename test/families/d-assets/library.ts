import { readFileSync } from 'node:fs'
import supertest from 'supertest'
import { afterAll } from 'vitest'
import { type SettingsInput, settingsSchema } from '../../../src/core/settings.js'
import { createEmulator } from '../../../src/emulator.js'

export const fixture = (name: string): Buffer => readFileSync(`fixtures/media/${name}`)

export interface Sent {
  readonly key?: string
  /** The bytes and their name; default: those of the fixture. */
  readonly bytes?: Buffer
  readonly name?: string
  readonly fields?: Readonly<Record<string, string>>
}

/** An emulator to be talked to over HTTP, stopped after the file's tests. */
export const openLibrary = (settings: SettingsInput = {}) => {
  const emulator = createEmulator(settingsSchema.parse({ port: 0, clock: 'paused', ...settings }))
  afterAll(() => emulator.stop())
  const agent = supertest(emulator.app)

  const upload = (file: string, { key = 'my-key', name = file, bytes, fields = {} }: Sent = {}) =>
    agent
      .post('/v1/asset/upload')
      .set('Authorization', `Bearer ${key}`)
      .field(fields)
      .attach('file', bytes ?? fixture(file), name)

  const resolve = (jobId: string, authorization?: string) => {
    const call = agent.get('/v1/asset/jobs/get-asset-id').query({ task_id: jobId })
    return authorization === undefined ? call : call.set('Authorization', authorization)
  }

  /** Uploads a fixture and lets its job be done; what resolving then answers. */
  const store = async (file: string, key = 'my-key') => {
    const { body } = await upload(file, { key })
    await emulator.clock.advanceUntilIdle(key)
    return (await resolve(body.data.task_id)).body
  }

  const createVideo = (content: readonly object[], key = 'my-key') =>
    agent
      .post('/provB/api/v3/contents/generations/tasks')
      .set('Authorization', `Bearer ${key}`)
      .send({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }, ...content] })

  return { emulator, agent, upload, resolve, store, createVideo }
}
