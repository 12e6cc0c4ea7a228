import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmulatorError, packageRoot } from '../../emulator/surface/records.js'

/** A page of the package that a client may read. */
interface Resource {
  /** `backlot://docs/testing.md`: the path of the page in the package. */
  readonly uri: string
  readonly name: string
  /** The heading of the page. */
  readonly title: string
  readonly mimeType: string
}

const SCHEME = 'backlot://'
const SCHEMA = 'scenarios/scenario.schema.json'

/** The pages of the documentation, the schema of scenario files first. */
export const listResources = async (): Promise<readonly Resource[]> => {
  const pages = (await readdir(join(packageRoot(), 'docs'), { recursive: true }))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !path.startsWith('docs/decisions/'))
    .sort()
  const schema = {
    uri: SCHEME + SCHEMA,
    name: SCHEMA,
    title: 'JSON Schema of scenario files',
    mimeType: 'application/schema+json',
  }
  return [schema, ...(await Promise.all(['README.md', ...pages].map(pageResource)))]
}

const pageResource = async (path: string): Promise<Resource> => {
  const [, title = path] = /^# (.*)$/m.exec(await readFile(join(packageRoot(), path), 'utf8')) ?? []
  return { uri: SCHEME + path, name: path, title, mimeType: 'text/markdown' }
}

/** The text of a resource. @throws EmulatorError `unknown-resource` for any other file */
export const readResource = async (
  uri: string,
): Promise<{ readonly mimeType: string; readonly text: string }> => {
  const resources = await listResources()
  const resource = resources.find((one) => one.uri === uri)
  if (resource === undefined)
    throw new EmulatorError(`There is no resource ${JSON.stringify(uri)}.`, {
      code: 'unknown-resource',
      hint: 'resources/list has all of them.',
    })
  const text = await readFile(join(packageRoot(), resource.name), 'utf8')
  return { mimeType: resource.mimeType, text }
}
