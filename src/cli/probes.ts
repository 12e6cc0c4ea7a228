/** Probe: a call that the service refuses by its specification, so that it makes nothing and costs nothing. */
export interface Probe {
  readonly says: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly json?: unknown
  /** Type and text of a body that is no JSON. */
  readonly body?: readonly [type: string, text: string]
  /** Whose API key it has. Default: the user's own. */
  readonly key?: 'unknown' | 'none'
}

const IMAGES = '/provA/api/v1/services/aigc/multimodal-generation/generation'
const TASKS = '/provB/api/v3/contents/generations/tasks'
const VIDEOS = '/v1/videos'
const VIDEOS_V2 = '/provC/v2/video_generation'
const UPLOAD = '/v1/asset/upload'

const post = (path: string, says: string, json: unknown, key?: Probe['key']): Probe => ({
  ...{ says, method: 'POST', path, json },
  ...(key === undefined ? {} : { key }),
})

// Each body is right but for what is changed.
const image = (says: string, change: object) => {
  const messages = [{ role: 'user', content: [{ text: 'a cat' }] }]
  return post(IMAGES, says, { model: 'alpha-image-3.0-pro', input: { messages }, ...change })
}
const text = [{ type: 'text', text: 'a cat' }]
const task = (says: string, change: object) =>
  post(TASKS, says, { model: 'videoa-2-0-260128', content: text, ...change })
const video = (says: string, change: object) =>
  post(VIDEOS, says, { model: 'videoa-2-0-260128', media: text, ...change })
const reference = (says: string, change: object) =>
  post(VIDEOS, says, { model: 'beta2.7-r2v', prompt: 'a cat', ...change })
const videoV2 = (says: string, change: object) =>
  post(VIDEOS_V2, says, { model: 'gamma-H3', content: text, duration: 5, ...change })

const form = 'multipart/form-data; boundary=part'
const group = '--part\r\nContent-Disposition: form-data; name="group_id"\r\n\r\ngroup\r\n--part--\r\n'

const creates = { 'an image': IMAGES, 'a task': TASKS, 'a video': VIDEOS, 'a video of F': VIDEOS_V2 }

/** The probes of `backlot verify`, by family. */
export const probes: readonly Probe[] = [
  // Without a model, so that a service that does not look at keys first makes nothing either.
  ...Object.entries(creates).flatMap(([what, path]) => [
    post(path, `${what} without a key`, {}, 'none'),
    post(path, `${what} with a key that there is not`, {}, 'unknown'),
    post(path, `${what} without a model`, {}),
    post(path, `${what} of a model that there is not`, { model: 'no-such-model' }),
    {
      says: `${what} from broken JSON`,
      method: 'POST' as const,
      path,
      body: ['application/json', '{'] as const,
    },
  ]),
  image('an image of two texts', {
    input: { messages: [{ role: 'user', content: [{ text: 'a cat' }, { text: 'a dog' }] }] },
  }),
  image('seven images', { parameters: { n: 7 } }),
  image('an image of 100*100', { parameters: { size: '100*100' } }),
  task('a task without content', { content: [] }),
  task('a task with a ratio that there is not', { ratio: '2:1' }),
  task('a task of 16 seconds', { duration: 16 }),
  { says: 'a task that there is not', method: 'GET', path: `${TASKS}/cgt-20200101000000-aaaaa` },
  {
    says: 'a cancellation of a task that there is not',
    method: 'DELETE',
    path: `${TASKS}/cgt-20200101000000-aaaaa`,
  },
  { says: 'a list of page 0', method: 'GET', path: `${TASKS}?page_num=0` },
  { says: 'a list of a status that there is not', method: 'GET', path: `${TASKS}?filter.status=asleep` },
  video('a video of 3 seconds', { seconds: '3' }),
  video('a video with a size that there is not', { size: '4k' }),
  video('a video without a text', { media: [] }),
  { says: 'a video that there is not', method: 'GET', path: `${VIDEOS}/cgt-20200101000000-aaaaa` },
  reference('a reference video of 801 characters', { prompt: 'a'.repeat(801) }),
  reference('a reference video with a size that there is not', { size: '480P' }),
  reference('a reference video with the seed -1', { seed: -1 }),
  videoV2('a video of F without a text', { content: [] }),
  videoV2('a video of gamma-H3-Max in 2K', { model: 'gamma-H3-Max', resolution: '2K' }),
  videoV2('a video of gamma-H3-Max of 4 seconds', { model: 'gamma-H3-Max', duration: 4 }),
  {
    says: 'a video of F that there is not',
    method: 'GET',
    path: '/provC/v2/query/video_generation/100000000000000000',
  },
  post(UPLOAD, 'an upload without a key', {}, 'none'),
  { says: 'an upload without a file', method: 'POST', path: UPLOAD, body: [form, group] },
  { says: 'an asset of no job', method: 'GET', path: '/v1/asset/jobs/get-asset-id', key: 'none' },
  {
    says: 'an asset of a job that there is not',
    method: 'GET',
    path: '/v1/asset/jobs/get-asset-id?task_id=none',
    key: 'none',
  },
]
