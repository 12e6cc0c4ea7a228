import { expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { extensionOf } from '../../src/emulator/core/media/spec.js'
import { mediaOf, statesOf } from '../../src/emulator/core/model/task.js'
import { isRecord, valueAt } from '../../src/emulator/core/request.js'
import { lastOf } from '../../src/emulator/core/schedule/time.js'
import { builtIn } from '../../src/emulator/families/index.js'
import { type Sample, samplesOf } from '../contract/samples.js'
import { contextWith, create, taskOf } from '../emulator/families/context.js'
import { openInProcess } from '../emulator.js'

const { taskFamilies } = builtIn

const { as } = openInProcess()

const HOST = 'backlot.test'

const samples = taskFamilies.flatMap((family) =>
  samplesOf(family.id).map((sample) => ({ family, sample, path: `${family.id}/${sample.name}` })),
)

/** A sample, sent as a client would; each in an account of its own. */
const sent = async ({ family, sample, path }: (typeof samples)[number]) => {
  const account = as(path)
  const { status, body } = await account
    .post(family.routes.create.path, sample.body as object)
    .set('Host', HOST)
  expect(status).toBe(200)
  return { account, body }
}

const at = (body: unknown, path = ''): unknown => valueAt(body, path.split('.').filter(Boolean))

/** The files to which the URLs of an answer lead, each once: `0.png`. */
const filesIn = (family: AnyTaskFamily, answer: unknown): string[] => [
  ...new Set(
    urlsIn(family.urlFields ?? ['url'], answer).map((url) => {
      expect(url).toMatch(/^http:\/\/backlot\.test\/results\//)
      return new URL(String(url)).pathname.split('/').at(-1) ?? ''
    }),
  ),
]

const urlsIn = (fields: readonly string[], value: unknown): unknown[] =>
  isRecord(value) || Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
        fields.includes(key) ? [inner].flat() : urlsIn(fields, inner),
      )
    : []

/** The files that a family makes for a sample. */
const filesOf = (family: AnyTaskFamily, { body, found }: Sample): string[] => {
  const context = contextWith({ resolvedMedia: found })
  const { timeline } = taskOf(create(family, body, context), context)
  return mediaOf(lastOf(timeline).value).map((spec, index) => `${index}.${extensionOf(spec)}`)
}

test.each(samples.filter(({ family }) => family.routes.read === undefined))(
  'the sample $path is answered with its results',
  async (given) => {
    const { body } = await sent(given)
    expect(filesIn(given.family, body)).toEqual(filesOf(given.family, given.sample))
  },
)

test.each(samples.filter(({ family }) => family.routes.read !== undefined))(
  'the sample $path is queried until it has its results',
  async (given) => {
    const { family, sample } = given
    const { account, body } = await sent(given)
    const id = String(at(body, family.idAt ?? 'id'))
    const read = family.routes.read?.path.replace(/\{.*\}/, id) as string
    const task = async () => at((await account.get(read).set('Host', HOST)).body, family.taskAt)
    expect(await task()).toMatchObject({ status: statesOf(family)[0] })
    await account.clock.advance({ to: 'idle' })
    const ended = await task()
    expect(ended).toMatchObject({ status: 'succeeded' })
    expect(filesIn(family, ended).sort()).toEqual(filesOf(family, sample))
  },
)
