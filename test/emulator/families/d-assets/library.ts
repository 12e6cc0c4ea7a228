import { readFileSync } from 'node:fs'
import type { SettingsInput } from '../../../../src/emulator/settings.js'
import { bodies, openInProcess, paths } from '../../../emulator.js'

export const fixture = (name: string): Buffer => readFileSync(`fixtures/media/${name}`)

export interface Sent {
  readonly key?: string
  /** The bytes and their name; default: those of the fixture. */
  readonly bytes?: Buffer
  readonly name?: string
  readonly fields?: Readonly<Record<string, string>>
}

/** An emulator without a port, and calls of its asset library. */
export const openLibrary = (settings: SettingsInput = {}) => {
  const { emulator, agent } = openInProcess(settings)

  const upload = (file: string, { key = 'my-key', name = file, bytes, fields = {} }: Sent = {}) =>
    agent
      .post(paths.upload)
      .set('Authorization', `Bearer ${key}`)
      .field(fields)
      .attach('file', bytes ?? fixture(file), name)

  const resolve = (jobId: string, authorization?: string) => {
    const call = agent.get(paths.resolve).query({ task_id: jobId })
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
      .post(paths.tasks)
      .set('Authorization', `Bearer ${key}`)
      .send(bodies.task({ content: [...bodies.task().content, ...content] }))

  return { emulator, agent, upload, resolve, store, createVideo }
}
