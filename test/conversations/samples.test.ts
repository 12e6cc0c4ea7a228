import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { taskFamilies } from '../../src/families/index.js'
import { openStudio } from './rendered-media.js'

const { as } = openStudio()

const HOST = 'backlot.test'

const samples = taskFamilies.flatMap((family) =>
  readdirSync(`fixtures/requests/${family.id}`).map((file) => ({ family, path: `${family.id}/${file}` })),
)

const bodyOf = (path: string): object => {
  const text = readFileSync(`fixtures/requests/${path}`, 'utf8').replaceAll('{origin}', `http://${HOST}`)
  return JSON.parse(text).body
}

/** A sample, sent as a client would; each in an account of its own. */
const sent = async ({ family, path }: (typeof samples)[number]) => {
  const account = as(path)
  const { status, body } = await account.post(family.routes.create.path, bodyOf(path)).set('Host', HOST)
  expect(status).toBe(200)
  return { account, body }
}

test.each(samples.filter(({ family }) => family.routes.read === undefined))(
  'the sample $path is answered with its pictures',
  async (sample) => {
    const { body } = await sent(sample)
    for (const { image } of body.output.choices[0].message.content)
      expect(image).toMatch(/^http:\/\/backlot\.test\/results\/.*\.png\?/)
  },
)

test.each(samples.filter(({ family }) => family.routes.read !== undefined))(
  'the sample $path becomes a video',
  async (sample) => {
    const { account, body } = await sent(sample)
    const read = sample.family.routes.read?.path.replace(/\{.*\}/, body.id ?? body.task_id) as string
    const status = async () => (await account.get(read).set('Host', HOST)).body.status
    expect(await status()).toBe(sample.family.id === 'e-video-reference' ? 'pending' : 'queued')
    await account.clock.advance({ to: 'idle' })
    expect(await status()).toBe('succeeded')
    const { body: task } = await account.get(read).set('Host', HOST)
    expect(task.content.video_url ?? task.content.url).toMatch(/^http:\/\/backlot\.test\/results\/.*\.mp4\?/)
  },
)
