import supertest from 'supertest'
import { afterAll, expect } from 'vitest'
import { createHandles } from '../../src/client/handles.js'
import { localTransport } from '../../src/client/start-emulator.js'
import { allRules } from '../../src/control/rules.js'
import { readSettings, type SettingsInput } from '../../src/core/settings.js'
import { createEmulator, type EmulatorDependencies } from '../../src/emulator.js'

export const paths = {
  image: '/provA/api/v1/services/aigc/multimodal-generation/generation',
  tasks: '/provB/api/v3/contents/generations/tasks',
} as const

/** Bodies that are accepted, as small as they can be. */
export const bodies = {
  image: (parameters: object = { size: '512*512' }) => ({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
    parameters,
  }),
  task: (change: object = {}) => ({
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: 'a lighthouse' }],
    ...change,
  }),
} as const

/** An emulator without a port of its own, to be talked to with supertest; stopped after the file's tests. */
export const openStudio = (settings: SettingsInput = {}, outside: EmulatorDependencies = {}) => {
  const emulator = createEmulator(readSettings({ clock: 'paused', ...settings }), outside)
  const refusedBy = new Set<string>()
  emulator.events.on('request', (entry) => {
    for (const { rule } of entry.refusedBy) refusedBy.add(rule)
  })
  afterAll(async () => {
    await emulator.stop()
    // Whatever stands in a journal can be looked up in the list of rules.
    const listed = allRules().map(({ id }) => id)
    expect(listed).toEqual(expect.arrayContaining([...refusedBy]))
  })
  const agent = supertest(emulator.app)
  const as = (key: string) => ({
    ...createHandles(key, localTransport(emulator, key)),
    get: (path: string) => agent.get(path).set('Authorization', `Bearer ${key}`),
    patch: (path: string, body: object) => agent.patch(path).set('Authorization', `Bearer ${key}`).send(body),
    delete: (path: string) => agent.delete(path).set('Authorization', `Bearer ${key}`),
    post: (path: string, body: object | string) =>
      agent
        .post(path)
        .set('Authorization', `Bearer ${key}`)
        .set('Content-Type', 'application/json')
        .send(body),
  })
  return { emulator, agent, as }
}

/** The path and query of an absolute URL, for an agent that brings its own host. */
export const localPart = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}
