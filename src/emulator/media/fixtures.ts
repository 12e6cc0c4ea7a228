import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoizeLoad } from '../concurrency.js'
import type { FamilyDescription, SampleRequest } from '../core/contract.js'
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

/** Sample media of the package. */
export interface Fixtures {
  /** The folder that holds them. */
  readonly folder: string
  list(): Promise<readonly Fixture[]>
  /** The bytes of one that is listed; undefined for any other name, whatever is on the disk. */
  read(name: string): Promise<Uint8Array | undefined>
}

export const FIXTURES_PATH = '/_backlot/fixtures'

export const createFixtures = (): Fixtures => {
  const bytesByName = new Map<string, Uint8Array>()
  // Looked up when it is needed first, and not at a start.
  const folder = () => join(packageRoot(), 'fixtures', 'media')
  const list = memoizeLoad(
    async () => JSON.parse(await readFile(join(folder(), 'index.json'), 'utf8')) as readonly Fixture[],
  )
  return {
    list,
    get folder() {
      return folder()
    },
    read: async (name) => {
      const known = bytesByName.get(name)
      if (known !== undefined || !(await list()).some((fixture) => fixture.name === name)) return known
      const bytes = await readFile(join(folder(), name))
      bytesByName.set(name, bytes)
      return bytes
    },
  }
}

/** The sample requests of a family: its own, or those that come with the package, in alphabetical order. */
export const samplesOf = async ({
  id,
  samples,
}: Pick<FamilyDescription, 'id' | 'samples'>): Promise<readonly SampleRequest[]> =>
  samples ?? readSampleRequests(id)

/** The sample requests of the package for a family, in alphabetical order; none where it has none. */
const readSampleRequests = async (family: string): Promise<readonly SampleRequest[]> => {
  const folder = join(packageRoot(), 'fixtures', 'requests', family)
  const files = await readdir(folder).catch(() => [])
  return Promise.all(
    files.sort().map(async (file) => ({
      ...(JSON.parse(await readFile(join(folder, file), 'utf8')) as Omit<SampleRequest, 'name'>),
      name: file.replace('.json', ''),
    })),
  )
}
