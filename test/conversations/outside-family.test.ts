import '../../examples/family/sketch.family.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../src/index.js'
import { toBeExplainedBy } from '../../src/testing/matchers/outcome.js'

const body = { model: 'delta-sketch-1', prompt: 'a lighthouse' }

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({
    families: ['examples/family/sketch.family.ts'],
    familySettings: { 'acme-sketch': { secondsToDraw: 60 } },
    timing: 'realistic',
    clock: 'paused',
  })
})
afterAll(() => emulator.stop())

const clientOf = (key: string) => async (path: string, json?: object) => {
  const response = await fetch(emulator.url + path, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return { status: response.status, body: (await response.json()) as any }
}

test('a task of a family from outside is made, followed and fetched, and takes as long as its setting says', async () => {
  const call = clientOf('alice')
  const { body: made } = await call('/acme/v1/sketches', body)
  expect(made).toEqual({ id: expect.stringMatching(/^sketch-/) })
  await emulator.account('alice').clock.advance('30s')
  expect((await call(`/acme/v1/sketches/${made.id}`)).body).toMatchObject({ status: 'running' })
  await emulator.account('alice').clock.advance('2m')
  const { body: done } = await call(`/acme/v1/sketches/${made.id}`)
  expect(done).toMatchObject({ status: 'succeeded' })
  expect((await fetch(done.url)).headers.get('content-type')).toBe('image/png')
})

test('the control API, OpenAPI, scenarios and the journal know it', async () => {
  const call = clientOf('bob')
  const control = async (path: string) => (await call(`/_backlot${path}`)).body
  const operations = (await control('/operations')).items.filter(
    (one: { family: string }) => one.family === 'acme-sketch',
  )
  expect(operations.map(({ id }: { id: string }) => id)).toEqual(['acme-sketch.create', 'acme-sketch.read'])
  expect(operations[0]).toMatchObject({
    section: 'Acme',
    samples: [{ name: 'cheapest' }, { name: 'second-model' }],
  })
  const rules = (await control('/rules')).items.map(({ id }: { id: string }) => id)
  expect(rules).toEqual(
    expect.arrayContaining([
      'acme-sketch.prompt-length',
      'acme-sketch.schema.prompt',
      'acme-sketch.credentials',
    ]),
  )
  expect((await control('/gaps')).items.map(({ id }: { id: string }) => id)).toContain('ACME1')
  expect((await control('/scenarios/words')).errors['acme-sketch']).toContain('too_many')
  const { paths, components, tags } = await control('/openapi.json?part=service')
  expect(paths['/acme/v1/sketches'].post.responses).toMatchObject({ 200: {}, 400: {}, 429: {} })
  expect(components.schemas).toMatchObject({ AcmeSketch: {}, AcmeSketchProblem: {} })
  expect(tags).toContainEqual({ name: '§Acme', description: 'Sketches' })

  const bob = emulator.account('bob')
  await bob.fail('acme-sketch.create', { error: 'too_many', times: 1 })
  expect(await call('/acme/v1/sketches', body)).toMatchObject({ status: 429, body: { error: 'too_many' } })
  expect((await call('/acme/v1/sketches', { ...body, prompt: 'x'.repeat(81) })).body).toEqual({
    error: 'bad_request',
    message: 'prompt must be at most 80 characters long, found 81.',
  })
  const [refused] = await bob.requests.list({ problem: 'acme-sketch.prompt-length' })
  expect(refused).toMatchObject({ operation: 'acme-sketch.create' })
  const matching = { isNot: false, utils: { stringify: String } }
  expect(toBeExplainedBy.call(matching, refused, 'acme-sketch.prompt-length')).toMatchObject({ pass: true })
  expect(toBeExplainedBy.call(matching, refused, 'acme-sketch.size')).toMatchObject({ pass: false })
  expect(() => toBeExplainedBy.call(matching, refused, 'acme-sketches.size' as never)).toThrow(
    'There is no rule',
  )
  const { body: made } = await call('/acme/v1/sketches', body)
  await bob.tasks.fail(made.id, 'broken')
  expect((await call(`/acme/v1/sketches/${made.id}`)).body.error).toMatchObject({ code: 'broken' })
})

test('a family that is broken starts nothing', async () => {
  await expect(startEmulator({ families: ['./nowhere.family.ts'] })).rejects.toMatchObject({
    code: 'bad-family',
  })
})
