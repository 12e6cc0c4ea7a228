import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startEmulator } from 'backlot'

let emulator
before(async () => {
  emulator = await startEmulator({
    families: ['./sketch.family.ts'],
    familySettings: { 'acme-sketch': { secondsToDraw: 60 } },
    timing: 'realistic',
  })
})
after(() => emulator.stop())

const call = async (path, body) => {
  const response = await fetch(emulator.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: 'Bearer any-key', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const sketch = { model: 'delta-sketch-1', prompt: 'a lighthouse' }

describe('a family from outside', () => {
  test('makes tasks that clients follow to their picture', async () => {
    const { body: made } = await call('/acme/v1/sketches', sketch)
    assert.match(made.id, /^sketch-/)
    const mine = emulator.account('any-key')
    await mine.clock.advance('5m')
    const { body } = await call(`/acme/v1/sketches/${made.id}`)
    assert.equal(body.status, 'succeeded')
    assert.equal((await fetch(body.url)).headers.get('content-type'), 'image/png')
  })

  test('refuses in its own words, and the journal knows the rule', async () => {
    const { status, body } = await call('/acme/v1/sketches', { ...sketch, prompt: 'x'.repeat(81) })
    assert.deepEqual([status, body.error], [400, 'bad_request'])
    const [entry] = await emulator.account('any-key').requests.list({ operation: 'acme-sketch.create' })
    assert.equal(entry.refusedBy[0].rule, 'acme-sketch.prompt-length')
  })

  test('takes its part in scenarios', async () => {
    await emulator.account('any-key').fail('acme-sketch.create', { error: 'too_many', times: 1 })
    assert.equal((await call('/acme/v1/sketches', sketch)).status, 429)
    assert.equal((await call('/acme/v1/sketches', sketch)).status, 200)
  })
})
