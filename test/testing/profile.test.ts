import { expect, test } from 'vitest'
import '../../src/testing/matchers/vitest.js'
import { useEmulator } from '../../src/testing/vitest/index.js'

const emulator = useEmulator({
  profile: {
    routes: [{ id: 'chat', method: 'POST', path: '/v1/chat/completions', answer: { body: { choices: [] } } }],
  },
})

test('a call of a route is received, and is no loose end', async () => {
  const answer = await fetch(`${emulator.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${emulator.key}` },
    body: '{"model":"talk-1"}',
  })
  expect(await answer.json()).toEqual({ choices: [] })
  await expect(emulator).toHaveReceived('routes.chat', { body: { model: 'talk-1' } })
  // The helper fails a test with loose ends, such as a call of a path that the service does not have.
  expect((await emulator.looseEnds()).unexpectedCalls).toEqual([])
})
