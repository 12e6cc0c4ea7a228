import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../server/fixtures/fixtures.js'
import type { Examples } from '../openapi.js'

/** The sample requests of the package for an operation; their media are those that the emulator at `url` serves. */
export const samplesFor = async (operation: string, url: string): Promise<Examples> => {
  const [family = ''] = operation.split('.')
  const folder = join(packageRoot(), 'fixtures', 'requests', family)
  const files = await readdir(folder).catch(() => [])
  const samples = await Promise.all(files.sort().map((file) => sampleIn(join(folder, file), url)))
  return Object.fromEntries(
    samples.flatMap(({ operation: of, says, body }, index) =>
      of === operation
        ? [[`${family}.${files[index]?.replace('.json', '')}`, { summary: says, value: body }]]
        : [],
    ),
  )
}

const sampleIn = async (path: string, url: string) => {
  const text = await readFile(path, 'utf8')
  return JSON.parse(text.replaceAll('{origin}', url)) as { operation: string; says: string; body: unknown }
}
