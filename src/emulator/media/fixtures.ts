import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoizeLoad } from '../concurrency.js'
import type { MediaFacts } from '../core/media/input.js'
import { packageRoot } from '../package-root.js'

/** Fixture: a sample medium that comes with the package (gap Z12). */
interface Fixture {
  readonly name: string
  readonly kind: MediaFacts['kind'] | 'unreadable'
  readonly facts: MediaFacts | { readonly kind: 'unreadable' }
  readonly note: string
  /** The limit that it breaks. Default: none. */
  readonly breaks?: string
}

export type Fixtures = ReturnType<typeof createFixtures>

export const FIXTURES_PATH = '/_backlot/fixtures'

export const createFixtures = () => {
  const bytesByName = new Map<string, Uint8Array>()
  // Looked up when it is needed first, and not at a start.
  const folder = () => join(packageRoot(), 'fixtures', 'media')
  const list = memoizeLoad(
    async () => JSON.parse(await readFile(join(folder(), 'index.json'), 'utf8')) as readonly Fixture[],
  )
  return {
    list,
    /** The folder that holds them. */
    get folder() {
      return folder()
    },
    /** The bytes of one that is listed; undefined for any other name, whatever is on the disk. */
    read: async (name: string): Promise<Uint8Array | undefined> => {
      const known = bytesByName.get(name)
      if (known !== undefined || !(await list()).some((fixture) => fixture.name === name)) return known
      const bytes = await readFile(join(folder(), name))
      bytesByName.set(name, bytes)
      return bytes
    },
  }
}

/** Sample request that comes with the package; `{origin}` in it stands for the address of the emulator. */
interface SampleRequest {
  /** `text-to-image`; `cheapest` is the one that costs least. */
  readonly name: string
  readonly operation: string
  /** What it is, in a sentence. */
  readonly says: string
  /** Undefined: a form. */
  readonly body?: unknown
  /** Fields of a form; the one that names a file holds the name of a sample medium. Undefined: JSON. */
  readonly form?: Readonly<Record<string, string>>
}

/** The sample requests of a family, in alphabetical order; none where it has none. */
export const readSampleRequests = async (family: string): Promise<readonly SampleRequest[]> => {
  const folder = join(packageRoot(), 'fixtures', 'requests', family)
  const files = await readdir(folder).catch(() => [])
  return Promise.all(
    files.sort().map(async (file) => ({
      ...(JSON.parse(await readFile(join(folder, file), 'utf8')) as Omit<SampleRequest, 'name'>),
      name: file.replace('.json', ''),
    })),
  )
}
