import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { probe } from '../src/emulator/media/probe.js'
import { clips, clipsBreakingALimit } from './fixtures/clips.js'
import { damagedFrom } from './fixtures/damaged.js'
import { pictures, picturesAtTheEdge } from './fixtures/pictures.js'
import type { Sample } from './fixtures/sample.js'
import { sounds } from './fixtures/sounds.js'

/**
 * Makes fixtures/media and its index.json anew: `npx tsx scripts/make-fixtures.ts`.
 * The same machine makes the same bytes; another build of ffmpeg makes others, with the same facts.
 */

const folder = new URL('../fixtures/media/', import.meta.url)
const made = new Map<string, Uint8Array>()

const bytesOf = (name: string): Uint8Array => {
  const bytes = made.get(name)
  if (!bytes) throw new Error(`${name} is to be made from, but is not made before`)
  return bytes
}

const entryOf = async ({ name, note, breaks, make }: Sample) => {
  const bytes = await make()
  made.set(name, bytes)
  await writeFile(new URL(name, folder), bytes)
  const facts = await probe(bytes)
  return { name, kind: facts.kind, facts, note, ...(breaks && { breaks }) }
}

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const entries: Awaited<ReturnType<typeof entryOf>>[] = []
const samples = [
  ...pictures,
  ...picturesAtTheEdge,
  ...clips,
  ...clipsBreakingALimit,
  ...sounds,
  ...damagedFrom(bytesOf),
]
for (const each of samples) entries.push(await entryOf(each))
await writeFile(new URL('index.json', folder), `${JSON.stringify(entries, null, 2)}\n`)

const total = [...made.values()].reduce((sum, bytes) => sum + bytes.length, 0)
console.log(`${made.size} files of ${Math.round(total / 1024)} KiB in ${fileURLToPath(folder)}`)
