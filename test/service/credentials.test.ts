import { expect, test } from 'vitest'
import { startEmulator } from '../../src/index.js'

test.each([
  ['Basic dXNlcjpwYXNz', 1],
  ['Token abc', 1],
  ['ApiKey abc', 1],
  ['Bearer: abc', 1],
  ['Bearer Bearer abc', 1],
  ['Bearer abc', 0],
  ['abc', 0],
  ['Bearer makes a video', 0],
])('a call with the credentials %s has %i warnings', async (authorization, warnings) => {
  await using emulator = await startEmulator()
  const answer = await fetch(`${emulator.url}/v1/videos/none`, { headers: { authorization } })
  const id = answer.headers.get('x-request-id') ?? ''
  const explained = await (await fetch(`${emulator.url}/_backlot/requests/${id}?all`)).text()
  expect(JSON.parse(explained).warnings).toHaveLength(warnings)
  expect(explained.includes('all of its value was taken for the key.')).toBe(warnings === 1)
})
