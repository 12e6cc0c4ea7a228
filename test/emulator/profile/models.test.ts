import { expect, test } from 'vitest'
import { bodies, paths, startOnPort } from '../../emulator.js'

const NEW = 'videoa-2-5-270101'
const profile = [
  {
    models: { [NEW]: { like: 'videoa-2-0-260128', seconds: [4, 20], sizes: ['720p', '1080p'], price: 0.2 } },
  },
] as never[]

test('a new model counts in rules, sentences, lists, pixels and prices', async () => {
  const emulator = await startOnPort({ profile, balance: 100 })
  const made = await emulator.create({ model: NEW, duration: 20 })
  expect(made.status).toBe(200)
  await emulator.clock.advance('1h')
  const { body } = await emulator.query(made.body.id)
  expect(body).toMatchObject({ model: NEW, duration: 20, resolution: '720p', status: 'succeeded' })
  expect((await emulator.read()).balance).toBe(96)
  expect((await emulator.list(`filter.model=${NEW}`)).body.total).toBe(1)

  const long = await emulator.create({ model: NEW, duration: 21 })
  expect(long).toMatchObject({ status: 400, body: { error: { param: 'duration' } } })
  expect(long.body.error.message).toMatch(/20/)
  expect((await emulator.create({ duration: 16 })).status).toBe(400)
  expect((await emulator.create({ model: NEW, resolution: '480p' })).status).toBe(400)
  const unknown = await emulator.create({ model: 'videoa-9' })
  expect(unknown.body.error.message).toContain(NEW)
  const unified = { model: NEW, seconds: '18', media: [{ type: 'text', text: 'a lighthouse' }] }
  expect((await emulator.post(paths.videos, unified)).status).toBe(200)

  const { operations } = { operations: (await emulator.get('/_backlot/operations')).body.items }
  const create = operations.find(({ id }: { id: string }) => id === 'b-video-task.create')
  expect(JSON.stringify(create.body)).toContain(NEW)
  expect((await emulator.get('/_backlot/openapi.json')).text).toContain(NEW)
})

test('a new model is like another new one, whichever stands first', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        models: {
          'gamma-H5': { like: 'gamma-H4', price: 1 },
          'gamma-H4': { like: 'gamma-H3', seconds: [4, 30] },
        },
      },
    ],
  })
  for (const model of ['gamma-H4', 'gamma-H5'])
    expect((await emulator.post(paths.second, bodies.second({ model, duration: 30 }))).status).toBe(200)
  expect((await emulator.post(paths.second, bodies.second({ model: 'gamma-H5', duration: 31 }))).status).toBe(
    400,
  )
})

test('scenarios select a new model', async () => {
  const emulator = await startOnPort({ profile })
  await emulator.fail('b-video-task.create', { error: 'ServerOverloaded', when: { model: NEW as never } })
  expect((await emulator.create({ model: NEW })).status).toBe(429)
  expect((await emulator.create()).status).toBe(200)
})

test('a known model differs, and bounds of rules have other numbers', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        models: { 'gamma-H3-Max': { seconds: [5, 30] } },
        rules: { 'f-video-v2.role-counts': { reference_image: 10 } },
      },
    ],
  })
  const { second } = bodies
  expect((await emulator.post(paths.second, second({ model: 'gamma-H3-Max', duration: 30 }))).status).toBe(
    200,
  )
  expect((await emulator.post(paths.second, second({ duration: 30 }))).status).toBe(400)
  const images = (count: number) =>
    second({
      content: [
        { type: 'text', text: 'a lighthouse' },
        ...Array.from({ length: count }, (_, index) => ({
          type: 'image_url',
          image_url: { url: `https://pictures.test/${index}.png` },
          role: 'reference_image',
        })),
      ],
    })
  expect((await emulator.post(paths.second, images(10))).status).toBe(200)
  const refused = await emulator.post(paths.second, images(11))
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toContain('at most 10 of role reference_image')
  const rules = (await emulator.get('/_backlot/rules')).body.items
  const counts = rules.find(({ id }: { id: string }) => id === 'f-video-v2.role-counts')
  expect(counts.sentence).toContain('10')
})
