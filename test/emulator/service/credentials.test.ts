import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEmulator } from '../../../src/index.js'
import { bodies, openInProcess, paths } from '../../emulator.js'
import { newFolder } from '../../folder.js'

test.each([
  ['Basic dXNlcjpwYXNz', 1],
  ['Token abc', 1],
  ['ApiKey abc', 1],
  ['Bearer: abc', 1],
  ['Bearer:abc', 1],
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

test('a key of eight characters is taken out of refusals, and of no other answer', async () => {
  const { as } = openInProcess({ timing: 'instant' })
  const refused = await as('sk-12345').post(paths.tasks, bodies.task({ model: 'sk-12345' }))
  expect([refused.status, refused.text.includes('sk-12345')]).toEqual([404, false])
  const { body } = await as('succeeded').post(paths.tasks, bodies.task())
  expect((await as('succeeded').get(`${paths.tasks}/${body.id}`)).body.status).toBe('succeeded')
})

test('a key that a URL escapes stands neither in the refusal nor in a recording', async () => {
  await using emulator = await startEmulator()
  const key = 'sk/abcdefghij+1'
  const escaped = encodeURIComponent(key)
  const refused = await fetch(`${emulator.url}/v1/videos/${escaped}`, { headers: { authorization: key } })
  const unknown = await fetch(`${emulator.url}/nope/${escaped}`, { headers: { authorization: key } })
  const file = join(newFolder(), 'session.jsonl')
  await emulator.account(key).requests.save(file)
  for (const text of [await refused.text(), await unknown.text(), await readFile(file, 'utf8')])
    expect(text).not.toMatch(/abcdefghij/)
})
