import { createHash } from 'node:crypto'
import type { BytesOf } from '../../core/recording/call-of.js'
import type { Recording } from '../../core/recording/recording.js'
import { areStoodIn } from '../../core/recording/stood-in.js'
import type { Fixtures } from '../../server/fixtures/fixtures.js'

/** The bytes of the fixtures by their hash. They are only read where the recording names a medium. */
export const fixtureBytes = async ({ lines }: Recording, fixtures: Fixtures): Promise<BytesOf> => {
  const byHash = new Map<string, Uint8Array>()
  if (!areStoodIn(lines, () => undefined)) return () => undefined
  for (const { name } of await fixtures.list()) {
    const bytes = await fixtures.read(name)
    if (bytes !== undefined) byHash.set(createHash('sha256').update(bytes).digest('hex'), bytes)
  }
  return (sha256) => byHash.get(sha256)
}
