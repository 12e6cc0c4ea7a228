import { blockWith, run } from './run.js'

// The recipe registers its own test, which must pass for a client that heeds Retry-After and fail for one that does not.
const recipe = blockWith('docs/recipes.md', 'waits as long as Retry-After says').code
const beginning = blockWith('docs/recipes.md', "import 'backlot/matchers/vitest'").code
const client = `
export const createOrderVideo = (emulator, msOf) => async ({ pause }) => {
  for (;;) {
    const response = await fetch(emulator.url + '/provB/api/v3/contents/generations/tasks', {
      method: 'POST',
      headers: { Authorization: 'Bearer ' + emulator.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }),
    })
    const body = await response.json()
    if (response.ok) return body.id
    await pause(msOf(response.headers.get('retry-after')))
  }
}`
await run({
  'block.ts': `${beginning}
import { vi } from 'vitest'
import { createOrderVideo } from './order.js'
{
  const orderVideo = createOrderVideo(emulator, (seconds) => seconds * 1_000)
  ${recipe}
}
{
  const orderVideo = createOrderVideo(emulator, () => {
    // The timeline is printed after a failed test.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    return 1_000
  })
  ${recipe.replace('test(', 'test.fails(')}
}`,
  'order.js': client,
})
