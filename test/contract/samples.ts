import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import type { MediaFacts, ResolvedMedia, Unreadable } from '../../src/emulator/core/media/input.js'

/** A request of fixtures/requests, with what stands behind each of its media. */
export interface Sample {
  readonly name: string
  readonly says: string
  readonly operation: string
  readonly body: unknown
  readonly found: Readonly<Record<string, ResolvedMedia>>
}

interface Fixture {
  readonly name: string
  readonly facts: MediaFacts | Unreadable
}

const ORIGIN = 'http://backlot.test'
const REQUESTS = 'fixtures/requests'
const MEDIA = 'fixtures/media'
const fixtures: readonly Fixture[] = JSON.parse(readFileSync(join(MEDIA, 'index.json'), 'utf8'))

/** The sample requests of a family by its id, by the name of their files; of a family from outside those that it brings. */
export const samplesOf = (family: string | Pick<AnyTaskFamily, 'id' | 'samples'>): Sample[] => {
  if (typeof family === 'object' && family.samples !== undefined)
    return family.samples.map((sample) => sampleIn(JSON.stringify(sample), sample.name))
  const folder = join(REQUESTS, typeof family === 'string' ? family : family.id)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => sampleIn(readFileSync(join(folder, file), 'utf8'), file))
}

const sampleIn = (written: string, name: string): Sample => {
  const text = written.replaceAll('{origin}', ORIGIN)
  const { says, operation, body } = JSON.parse(text)
  const urls = textsIn(body).filter((one) => /^(data|https?|asset):/i.test(one))
  return {
    name,
    says,
    operation,
    body,
    found: Object.fromEntries(urls.map((url) => [url, foundBehind(url)])),
  }
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

// A fixture by its URL, or by its bytes where they are written into the body; anything else is not read.
const foundBehind = (url: string): ResolvedMedia => {
  const path = `${ORIGIN}/_backlot/fixtures/`
  if (url.startsWith(path)) return asFound(fixtureNamed(url.slice(path.length)))
  if (/^data:/i.test(url)) return asFound(fixtureOfBytes(url))
  return { state: 'unseen', origin: url }
}

const fixtureNamed = (name: string): Fixture => {
  const fixture = fixtures.find((one) => one.name === name)
  if (fixture === undefined) throw new Error(`${MEDIA}/index.json has no ${name}`)
  return fixture
}

const fixtureOfBytes = (url: string): Fixture => {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  const fixture = fixtures.find(({ name }) => bytes.equals(readFileSync(join(MEDIA, name))))
  if (fixture === undefined) throw new Error('the Base64 of a sample request is no file of fixtures/media')
  return fixture
}

const asFound = ({ name, facts }: Fixture): ResolvedMedia =>
  facts.kind === 'unreadable'
    ? { state: 'refused', reason: 'unreadable', detail: facts.detail }
    : { state: 'read', facts, blob: createHash('sha256').update(name).digest('hex'), origin: name }
