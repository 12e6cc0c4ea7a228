import { expect, test } from 'vitest'
import { createBatchBytes } from '../../../src/server/state/file/lines.js'

test('a batch is its lines and an end, in UTF-8', () =>
  expect(createBatchBytes()(['["a"]', '["é 灯塔 🗼"]']).toString()).toBe('["a"]\n["é 灯塔 🗼"]\n["end"]\n'))

test('a shorter batch after a longer one has nothing of it', () => {
  const bytesOf = createBatchBytes()
  bytesOf(['["a long line of a batch that was before"]'])
  expect(bytesOf(['["b"]']).toString()).toBe('["b"]\n["end"]\n')
})

test('a batch of many megabytes is as whole as a small one', () => {
  const line = JSON.stringify('灯'.repeat(2 ** 20))
  const bytes = createBatchBytes()([line, line])
  expect(bytes.length).toBe(2 * (3 * 2 ** 20 + 3) + 8)
  expect(bytes.subarray(-9).toString()).toBe('\n["end"]\n')
})
