import { afterAll, beforeAll, expect, test } from 'vitest'
import { creates, inShapeOf, post, sampleWith } from './asked.js'
import { oddFields, oddNumbers, refusedBodies } from './inputs/bodies.js'
import { openTarget, type Target } from './target.js'

let target: Target
beforeAll(async () => {
  target = await openTarget()
})
afterAll(async () => {
  await target.close()
  expect(target.bugs).toEqual([])
})

test.each(refusedBodies)('every family refuses $name in its own words', async ({ bytes, headers }) => {
  const body = bytes()
  for (const { family, path } of creates) {
    const answer = await post(target, path, body, headers)
    expect([400, 404, 413, 415]).toContain(answer.status)
    inShapeOf(family, answer)
  }
})

test.each(oddFields)('a field with $name is an unknown field', async ({ json }) => {
  for (const { family, path } of creates)
    expect((await post(target, path, sampleWith(family, json))).status).toBe(200)
  expect({}).not.toHaveProperty('polluted')
})

test.each(oddFields)('with strict, a field with $name is refused as any other', async ({ json }) => {
  const strict = await openTarget({ strict: true })
  for (const { family, path } of creates) {
    const answer = await post(strict, path, sampleWith(family, json))
    expect(answer.status).toBe(400)
    inShapeOf(family, answer)
  }
  await strict.close()
})

test.each(oddNumbers)('the seed %s is taken or refused, and never a failure', async (number) => {
  for (const { family, path } of creates) {
    const parameters = `"seed":${number},"parameters":{"seed":${number}},"duration":${number}`
    const answer = await post(target, path, sampleWith(family, parameters))
    expect([200, 400]).toContain(answer.status)
    if (answer.status === 400) inShapeOf(family, answer)
  }
})

test('the last of two equal names counts, as in every JSON parser', async () => {
  const answer = await post(target, creates[1].path, sampleWith('b-video-task', '"model":"nobody"'))
  expect(answer.status).toBe(200)
})

test('a body that could not be parsed can be looked up and recorded afterwards', async () => {
  await post(target, creates[1].path, '['.repeat(10_000) + ']'.repeat(10_000))
  for (const path of ['/_backlot/requests', '/_backlot/requests?format=replay', '/_backlot/timeline']) {
    const connection = await target.connect()
    await connection.say(`GET ${path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: hostile\r\n\r\n`)
    expect((await connection.answer())?.status).toBe(200)
    connection.leave()
  }
})
