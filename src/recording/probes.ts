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

// No file is there, so that a service that takes a call all the same makes nothing of it.
const PICTURE = 'https://example.com/no-picture.png'
const text = [{ type: 'text', text: 'a cat' }]

// Bodies that the specification allows.
const imageBody = {
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
}
const taskBody = { model: 'videoa-2-0-260128', content: text }
const videoBody = { model: 'videoa-2-0-260128', media: text }
const referenceBody = {
  model: 'beta2.7-r2v',
  subject_reference: [{ type: 'character', image: [PICTURE] }],
  prompt: 'a cat',
}
const videoV2Body = { model: 'gamma-H3', content: text, duration: 5 }

// Each body is right but for what is changed.
const image = (says: string, change: object) => post(IMAGES, says, { ...imageBody, ...change })
const task = (says: string, change: object) => post(TASKS, says, { ...taskBody, ...change })
const video = (says: string, change: object) => post(VIDEOS, says, { ...videoBody, ...change })
const reference = (says: string, change: object) => post(VIDEOS, says, { ...referenceBody, ...change })
const videoV2 = (says: string, change: object) => post(VIDEOS_V2, says, { ...videoV2Body, ...change })

const form = 'multipart/form-data; boundary=part'
const group = '--part\r\nContent-Disposition: form-data; name="group_id"\r\n\r\ngroup\r\n--part--\r\n'

const creates = [
  ['an image', IMAGES, imageBody],
  ['a task', TASKS, taskBody],
  ['a video', VIDEOS, videoBody],
  ['a video of F', VIDEOS_V2, videoV2Body],
] as const

// With an incomplete body, so that a service that does not look at keys first makes nothing either.
const withWrongKeys = (what: string, path: string, json: unknown) => [
  post(path, `${what} without a key`, json, 'none'),
  post(path, `${what} with a key that there is not`, json, 'unknown'),
]

/** The probes of `backlot verify`, by family. */
export const probes: readonly Probe[] = [
  ...creates.flatMap(([what, path, { model: _, ...rest }]) => [
    ...withWrongKeys(what, path, {}),
    post(path, `${what} without a model`, rest),
    post(path, `${what} of a model that there is not`, { ...rest, model: 'no-such-model' }),
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
  video('a video without a text', { media: [{ type: 'first_frame', url: PICTURE }] }),
  { says: 'a video that there is not', method: 'GET', path: `${VIDEOS}/cgt-20200101000000-aaaaa` },
  // Its model is what tells it from a video of C, which has the same path.
  ...withWrongKeys('a reference video', VIDEOS, { model: referenceBody.model }),
  reference('a reference video of 801 characters', { prompt: 'a'.repeat(801) }),
  reference('a reference video with a size that there is not', { size: '480P' }),
  reference('a reference video with the seed -1', { seed: -1 }),
  videoV2('a video of F without a text', {
    content: [{ type: 'image_url', role: 'first_frame', image_url: { url: PICTURE } }],
  }),
  videoV2('a video of gamma-H3-Max in 2K', { model: 'gamma-H3-Max', resolution: '2K' }),
  videoV2('a video of gamma-H3-Max of 4 seconds', { model: 'gamma-H3-Max', duration: 4 }),
  {
    says: 'a video of F that there is not',
    method: 'GET',
    path: '/provC/v2/query/video_generation/100000000000000000',
  },
  ...withWrongKeys('an upload', UPLOAD, {}),
  { says: 'an upload without a file', method: 'POST', path: UPLOAD, body: [form, group] },
  { says: 'an asset of no job', method: 'GET', path: '/v1/asset/jobs/get-asset-id', key: 'none' },
  {
    says: 'an asset of a job that there is not',
    method: 'GET',
    path: '/v1/asset/jobs/get-asset-id?task_id=none',
    key: 'none',
  },
]
