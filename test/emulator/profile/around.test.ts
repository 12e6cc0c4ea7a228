import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bodies, startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

const profile = [
  {
    errors: { 'b-video-task': { AccountFrozen: { status: 403, message: 'Frozen' } } },
    routes: [
      { id: 'hi', method: 'POST' as const, path: '/hi/{name}', answer: { body: { hi: '{{path.name}}' } } },
    ],
  },
]

test('the OpenAPI document has the routes', async () => {
  const { get } = await startOnPort({ profile })
  const document = (await get('/_backlot/openapi.json?part=service')).body
  expect(document.paths['/hi/{name}'].post).toMatchObject({ operationId: 'routes.hi' })
})

test('scenarios in files raise what a profile adds, at the start and while it runs', async () => {
  const file = join(newFolder(), 'frozen.yaml')
  const text = (name: string) => `name: ${name}
description: The account is frozen.
steps:
  - when: { operation: b-video-task.create, nth: 1 }
    then: { answer: { error: AccountFrozen } }
  - when: { operation: routes.hi, method: POST, nth: 1 }
    then: { answer: { status: 503 } }
`
  await writeFile(file, text('frozen'))
  const emulator = await startOnPort({ profile, scenario: [file] })
  expect((await emulator.create()).body.error.code).toBe('AccountFrozen')
  expect((await emulator.post('/hi/ada', {})).status).toBe(503)
  expect((await emulator.create()).status).toBe(200)
  await writeFile(file, text('again'))
  await emulator.scenario.play(file as `${string}.yaml`)
  expect((await emulator.create()).body.error.code).toBe('AccountFrozen')
  await writeFile(file, text('wrong').replace('AccountFrozen', 'AccountFrozn'))
  await expect(emulator.scenario.play(file as `${string}.yaml`)).rejects.toMatchObject({
    code: 'bad-scenario',
  })
})

test('a state file has what was made with a profile', async () => {
  const state = join(newFolder(), 'state.json')
  const models = {
    models: { 'videoa-2-5-270101': { like: 'videoa-2-0-260128', seconds: [4, 20] as [number, number] } },
  }
  const first = await startOnPort({ state, profile: [models] })
  const { body } = await first.post(
    '/provB/api/v3/contents/generations/tasks',
    bodies.task({ model: 'videoa-2-5-270101', duration: 20 }),
  )
  await first.stop()
  const second = await startOnPort({ state, profile: [models] })
  await second.clock.advance('1h')
  expect((await second.query(body.id)).body).toMatchObject({ status: 'succeeded', duration: 20 })
  await second.stop()
  await expect(startOnPort({ state })).rejects.toMatchObject({ code: 'bad-state' })
})

test('a recording has the profile without changes of answers', async () => {
  const { requests, create } = await startOnPort({
    profile: [
      ...profile,
      {
        answers: { 'b-video-task.create': { set: { vendor: 'acme' } } },
        timing: { 'b-video-task': { queued: '2s' } },
      },
    ],
  })
  expect((await create()).body.vendor).toBe('acme')
  const file = join(newFolder(), 'calls.jsonl')
  await requests.save(file)
  const [head, ...lines] = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(head.settings.profile).toEqual([
    { errors: profile[0]?.errors, routes: profile[0]?.routes, timing: { 'b-video-task': { queued: 2_000 } } },
  ])
  const call = lines.find(({ kind }) => kind === 'call')
  expect(call.answer.json).toEqual({ id: expect.any(String) })
})
