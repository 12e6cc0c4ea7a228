import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

/** The port of an emulator in a process with a heap of so many megabytes. */
const startWithHeap = async (megabytes: number): Promise<number> => {
  const script = fileURLToPath(new URL('./small-heap.ts', import.meta.url))
  const options = [`--max-old-space-size=${megabytes}`, '--import', 'tsx', script]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout, 'data')
  return Number(line)
}

test('a process with a heap of 128 MB refuses four prompts of 59 MB at once and keeps running', {
  timeout: 120_000,
}, async () => {
  const port = await startWithHeap(128)
  const create = (prompt: string) =>
    fetch(`http://127.0.0.1:${port}/v1/videos`, {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'videob-1-0-ref', prompt }),
    })
  const large = await Promise.all(Array.from({ length: 4 }, () => create('x'.repeat(59 * 2 ** 20))))
  for (const answer of large) {
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain('a sixth of the heap')
  }
  expect((await create('')).status).toBe(400)
})
