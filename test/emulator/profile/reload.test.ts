import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Events } from '../../../src/emulator/core/events.js'
import { reloadProfile } from '../../../src/emulator/profile/reload.js'
import { bodies, startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

test('a profile that changes is in force from the next call on, and one that is wrong changes nothing', async () => {
  const file = join(newFolder(), 'profile.yaml')
  await writeFile(file, 'paths: { provB: one }\n')
  const started = await startOnPort({ profile: [file] })
  const { emulator, post, get } = started
  const changes: Events['profile'][0][] = []
  emulator.events.on('profile', (change) => changes.push(change))
  const create = (prefix: string) => post(`/${prefix}/api/v3/contents/generations/tasks`, bodies.task())
  expect((await create('one')).status).toBe(200)

  await writeFile(
    file,
    'paths: { provB: two }\nanswers: { b-video-task.create: { set: { vendor: acme } } }\nroutes: [{ id: hi, method: GET, path: /hi, answer: { text: hi } }]\n',
  )
  await reloadProfile(emulator, file)
  expect((await create('one')).status).toBe(404)
  expect((await create('two')).body).toEqual({ id: expect.any(String), vendor: 'acme' })
  expect((await get('/hi')).text).toBe('hi')
  expect((await get('/_backlot/profile')).body.items.map(({ key }: { key: string }) => key)).toContain(
    'paths.provB',
  )
  // The names that scenarios may use have changed too.
  await started.fail('routes.hi', { error: 'unavailable' as never, times: 1 })
  expect((await get('/hi')).status).toBe(503)

  await writeFile(file, 'paths: { provX: three }\n')
  await reloadProfile(emulator, file)
  expect((await create('two')).status).toBe(200)
  await rm(file)
  await reloadProfile(emulator, file)
  expect((await create('two')).status).toBe(200)
  expect(changes).toEqual([
    { file, isInForce: true, says: `${file} has changed: the profile is in force as it is now.` },
    {
      file,
      isInForce: false,
      says: expect.stringMatching(
        /has changed, and the profile stays as it was\..*profile\.yaml:1:10: no path of the service begins with provX/s,
      ),
    },
    { file, isInForce: false, says: expect.stringContaining('There is no file') },
  ])
})

test('a module that changes is read again', async () => {
  const file = join(newFolder(), 'profile.ts')
  await writeFile(
    file,
    "export default { routes: [{ id: 'hi', method: 'GET', path: '/hi', answer: { text: 'one' } }] }",
  )
  const { emulator, get } = await startOnPort({ profile: [file] })
  expect((await get('/hi')).text).toBe('one')
  await writeFile(
    file,
    "export default { routes: [{ id: 'hi', method: 'GET', path: '/hi', answer: { text: 'two' } }] }",
  )
  await reloadProfile(emulator, file)
  expect((await get('/hi')).text).toBe('two')
})

test('limits hold for accounts that open later', async () => {
  const file = join(newFolder(), 'profile.yaml')
  await writeFile(file, 'rateLimits: { requestsPerMinute: 1 }\n')
  const { emulator, create, reset } = await startOnPort({ profile: [file] })
  await create()
  expect((await create()).status).toBe(429)
  await writeFile(file, 'rateLimits: { requestsPerMinute: 3 }\n')
  await reloadProfile(emulator, file)
  expect((await create()).status).toBe(429)
  await reset()
  await create()
  expect((await create()).status).toBe(200)
})
