import { expect, test } from 'vitest'
import { ended } from '../cli/backlot.js'

test.skipIf(process.platform !== 'linux').each([
  ['the document of the service', ['openapi']],
  ['a ready-made scenario', ['scenarios', 'callback-lost']],
])('%s that the disk has no room for is no success', async (_, args) => {
  const before = ['bash', '-c', 'exec "$0" "$@" > /dev/full']
  const { code, err } = await ended(args, { before })
  expect(code).toBe(1)
  expect(err).toBe('backlot: The output cannot be written: no space is left on the device.\n')
})
