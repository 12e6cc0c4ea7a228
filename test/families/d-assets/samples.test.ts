import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openLibrary } from './library.js'

const FOLDER = 'fixtures/requests/d-assets'
const { emulator, upload, resolve } = openLibrary({ strict: true })

interface Sample {
  readonly says: string
  readonly operation: string
  readonly form: { readonly file: string; readonly group_id?: string }
}

const samples = readdirSync(FOLDER).map(
  (name) => [name, JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as Sample] as const,
)

test.each(samples)('%s is accepted, and comes to what it says', async (name, { says, operation, form }) => {
  expect([says, operation]).toEqual([expect.stringMatching(/^[A-Z].{10,}/), 'd-assets.upload'])
  const { file, ...fields } = form
  const { status, body } = await upload(file, { fields })
  expect(status).toBe(200)
  await emulator.clock.advanceUntilIdle('my-key')
  const { body: resolved } = await resolve(body.data.task_id)
  expect(resolved.data.status).toBe(name === 'fails.json' ? 'Failed' : 'Active')
})
