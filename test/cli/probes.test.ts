import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Probe } from '../../src/emulator/core/contract.js'
import { families } from '../../src/emulator/families/index.js'
import { type RunningEmulator, startEmulator } from '../../src/index.js'

const probes = families.flatMap((family) => family.probes ?? [])

/** What refuses each probe: the one rule, or the one field of the schema, that its words name. */
const refusedBy: Readonly<Record<string, string>> = {
  'an image without a key': 'a-image.credentials',
  'an image with a key that there is not': 'a-image.credentials',
  'an image without a model': 'a-image.schema.model',
  'an image of a model that there is not': 'a-image.schema.model',
  'an image from broken JSON': 'a-image.body-is-json',
  'an image of two texts': 'a-image.exactly-one-text',
  'seven images': 'a-image.schema.parameters.n',
  'an image of 100*100': 'a-image.size-area',
  'a task without a key': 'b-video-task.credentials',
  'a task with a key that there is not': 'b-video-task.credentials',
  'a task without a model': 'b-video-task.schema.model',
  'a task of a model that there is not': 'b-video-task.schema.model',
  'a task from broken JSON': 'b-video-task.body-is-json',
  'a task without content': 'b-video-task.schema.content',
  'a task with a ratio that there is not': 'b-video-task.schema.ratio',
  'a task of 16 seconds': 'b-video-task.schema.duration',
  'a task that there is not': 'b-video-task.task-exists',
  'a cancellation of a task that there is not': 'b-video-task.task-exists',
  'a list of page 0': 'b-video-task.list.page_num',
  'a list of a status that there is not': 'b-video-task.list.filter.status',
  'a video without a key': 'c-video.credentials',
  'a video with a key that there is not': 'c-video.credentials',
  'a video without a model': 'c-video.schema.model',
  'a video of a model that there is not': 'c-video.schema.model',
  'a video from broken JSON': 'c-video.body-is-json',
  'a video of 3 seconds': 'c-video.schema.seconds',
  'a video with a size that there is not': 'c-video.schema.size',
  'a video without a text': 'c-video.text-is-there',
  'a video that there is not': 'c-video.task-exists',
  'an upload without a key': 'd-assets.credentials',
  'an upload with a key that there is not': 'd-assets.credentials',
  'an upload without a file': 'd-assets.file',
  'an asset of no job': 'd-assets.task-id',
  'an asset of a job that there is not': 'd-assets.task-exists',
  'a reference video without a key': 'e-video-reference.credentials',
  'a reference video with a key that there is not': 'e-video-reference.credentials',
  'a reference video of 801 characters': 'e-video-reference.prompt-length',
  'a reference video with a size that there is not': 'e-video-reference.schema.size',
  'a reference video with the seed -1': 'e-video-reference.schema.seed',
  'a video of F without a key': 'f-video-v2.credentials',
  'a video of F with a key that there is not': 'f-video-v2.credentials',
  'a video of F without a model': 'f-video-v2.schema.model',
  'a video of F of a model that there is not': 'f-video-v2.schema.model',
  'a video of F from broken JSON': 'f-video-v2.body-is-json',
  'a video of F without a text': 'f-video-v2.text-is-there',
  'a video of gamma-H3-Max in 2K': 'f-video-v2.model-has-resolution',
  'a video of gamma-H3-Max of 4 seconds': 'f-video-v2.model-has-duration',
  'a video of F that there is not': 'f-video-v2.task-exists',
}

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

const send = async ({ method, path, json, key, body }: Probe) => {
  const apiKey = { own: 'any-key', unknown: 'invalid', none: undefined }[key ?? 'own']
  const [type, text] = body ?? ['application/json', JSON.stringify(json)]
  const { headers } = await fetch(emulator.url + path, {
    ...{ method, headers: { 'content-type': type, ...(apiKey && { authorization: `Bearer ${apiKey}` }) } },
    ...(method === 'POST' ? { body: text } : {}),
  })
  const account = apiKey === undefined ? emulator : emulator.account(apiKey)
  return account.requests.get(headers.get('x-request-id') ?? '')
}

test.each(probes)('$says: refused by that alone', async (probe) => {
  const request = await send(probe)
  expect(request.refusedBy.map(({ rule }) => rule)).toEqual([refusedBy[probe.says]])
})

test('each family is asked without a key and with a wrong one', () => {
  const asked = (key: Probe['key']) =>
    probes.flatMap((probe) => {
      const rule = refusedBy[probe.says] ?? ''
      return probe.key === key && rule.endsWith('.credentials') ? [rule.replace(/\..*/, '')] : []
    })
  const families = ['a-image', 'b-video-task', 'c-video', 'd-assets', 'e-video-reference', 'f-video-v2']
  expect(asked('none').sort()).toEqual(families)
  expect(asked('unknown').sort()).toEqual(families)
})
