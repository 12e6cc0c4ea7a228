import type { AccountHandles, RunningEmulator } from '../../../src/index.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'

// biome-ignore lint/suspicious/noTemplateCurlyInString: meant as it stands
const PROMPT = 'it\'s "quoted" `${1 + 1}` \\ end'

export interface Client {
  readonly emulator: RunningEmulator
  readonly account: AccountHandles
  readonly send: (path: string, init?: RequestInit & { readonly json?: object }) => Promise<unknown>
  readonly create: (more?: object) => Promise<{ id: string }>
}

const bodyOf = (more: object = {}) => ({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: PROMPT }],
  ...more,
})

/** A client of an account of an emulator. */
export const clientOf = (emulator: RunningEmulator, key: string): Client => {
  const send: Client['send'] = async (path, { json, ...init } = {}) => {
    const response = await fetch(path.startsWith('http') ? path : emulator.url + path, {
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
      ...init,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json && { 'content-type': 'application/json' }),
        ...(init.headers as Record<string, string> | undefined),
      },
    })
    const text = await response.text()
    return text.startsWith('{') ? JSON.parse(text) : text
  }
  const create = (more?: object) => send(TASKS, { json: bodyOf(more) }) as Promise<{ id: string }>
  return { emulator, account: emulator.account(key), send, create }
}

/** The URL of the video of a new task. */
export const urlOf = async ({ create, account, send }: Client): Promise<string> => {
  const { id } = await create()
  await account.clock.advance({ to: 'idle' })
  const task = (await send(`${TASKS}/${id}`)) as { content: { video_url: string } }
  return task.content.video_url
}

const image = (url: string) => ({ content: [{ type: 'image_url', image_url: { url }, role: 'first_frame' }] })

const bodyOfA2 = {
  model: 'alpha-image-2.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: PROMPT }] }] },
  parameters: { size: '512*512' },
}

const bodyOfC = {
  model: 'videoa-2-0-fast-260128',
  media: [{ type: 'text', text: PROMPT }],
  seconds: '4',
  size: '480p',
}

const idOfC = async ({ send }: Client): Promise<string> =>
  ((await send('/v1/videos', { json: bodyOfC })) as { id: string }).id

const PATH_OF_F = '/provC/v2/video_generation'

const bodyOfF = { model: 'gamma-H3', content: [{ type: 'text', text: PROMPT }], duration: 5 }

type Send = Client['send']

const sendForm = (send: Send, fields: Readonly<Record<string, string | File>>, path = '/v1/asset/upload') => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return send(path, { method: 'POST', body })
}

/** Uploads a sample medium. */
const upload = async ({ emulator, send }: Client, name: string): Promise<unknown> => {
  const sample = await fetch(`${emulator.url}/_backlot/fixtures/${name}`)
  return sendForm(send, { file: new File([await sample.blob()], name), group_id: 'posters' })
}

const step = (then: object) => ({ name: 'own', description: 'Own.', steps: [{ then }] }) as never

/** Calls of every kind of answer; the last call of each is copied, and the test of it contains a text. */
export const kinds: Readonly<
  Record<string, readonly [status: number, contains: string, call: (client: Client) => Promise<unknown>]>
> = {
  'a create': [200, '', ({ create }) => create()],
  'a create of which two fields are refused': [
    400,
    'b-video-task.schema.ratio',
    ({ create }) => create({ duration: 20, ratio: '5:4' }),
  ],
  'a body that is no JSON': [400, '', ({ send }) => send(TASKS, { method: 'POST', body: '{not' })],
  'a call without a key': [
    401,
    '',
    ({ send }) => send(TASKS, { headers: { authorization: '' }, json: bodyOf() }),
  ],
  'a path of no operation': [404, 'unexpected-calls', ({ send }) => send('/v1/videoss', { json: {} })],
  'a list': [200, '', ({ send }) => send(TASKS)],
  'a poll of a task that is not there': [404, '', ({ send }) => send(`${TASKS}/cgt-none`)],
  'an error that a scenario raised': [
    429,
    'error": "ServerOverloaded',
    async ({ account, create }) => {
      await account.fail('b-video-task.create', { error: 'ServerOverloaded' })
      await create()
    },
  ],
  'a page of HTML': [
    502,
    'html',
    async ({ account, create }) => {
      await account.scenario.play('html-error-page')
      await create()
    },
  ],
  'a scenario named by a header': [
    502,
    'x-backlot-scenario',
    ({ send }) => send(TASKS, { json: bodyOf(), headers: { 'x-backlot-scenario': 'html-error-page' } }),
  ],
  'a connection that was reset': [
    200,
    'rejects',
    async ({ account, create }) => {
      await account.scenario.play(step({ transport: { reset: true } }))
      await create().catch(() => undefined)
    },
  ],
  'a connection without an answer': [
    200,
    'AbortSignal',
    async ({ account, send }) => {
      await account.scenario.play(step({ transport: { hang: true } }))
      await send(TASKS, { json: bodyOf(), signal: AbortSignal.timeout(300) }).catch(() => undefined)
      await account.requests.waitFor({})
    },
  ],
  'no balance': [
    403,
    'balance: 0',
    async ({ account, create }) => {
      await account.change({ balance: 0 })
      await create()
    },
  ],
  'the limit of calls': [
    429,
    'requestsPerMinute: 0',
    async ({ account, create }) => {
      await account.change({ limits: { requestsPerMinute: 0 } })
      await create()
    },
  ],
  'the limit of tasks': [
    429,
    'tasksInFlight: 0',
    async ({ account, create }) => {
      await account.change({ limits: { tasksInFlight: 0 } })
      await create()
    },
  ],
  'no agreement': [
    403,
    'agreementAccepted: false',
    async ({ account, send }) => {
      await account.change({ agreementAccepted: false })
      await send('/v1/videos', {
        json: {
          model: 'beta2.7-r2v',
          subject_reference: [{ type: 'character', image: ['https://example.com/a.png'] }],
          prompt: 'She waves',
        },
      })
    },
  ],
  'the quota of images': [
    429,
    'imageQuota: 0',
    async ({ account, send }) => {
      await account.change({ limits: { imageQuota: 0 } })
      await send('/provA/api/v1/services/aigc/multimodal-generation/generation', {
        json: {
          model: 'alpha-image-3.0-pro',
          input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
          parameters: { size: '512*512' },
        },
      })
    },
  ],
  'an asset that is not there': [400, 'depended on more', ({ create }) => create(image('asset://asset-1'))],
  'a poll': [200, 'task.id', async ({ create, send }) => send(`${TASKS}/${(await create()).id}`)],
  'a cancel': [
    200,
    'task.id',
    async ({ create, send }) => send(`${TASKS}/${(await create()).id}`, { method: 'DELETE' }),
  ],
  'a delete that comes too early': [
    409,
    'depended on more',
    async ({ account, create, send }) => {
      const { id } = await create()
      await account.clock.advance({ to: 'next' })
      await send(`${TASKS}/${id}`, { method: 'DELETE' })
    },
  ],
  'a download': [200, 'result.url', async (client) => client.send(await urlOf(client))],
  'a part of a download': [
    206,
    'range',
    async (client) => client.send(await urlOf(client), { headers: { range: 'bytes=0-9' } }),
  ],
  'a download after its end': [
    403,
    'expiresAt',
    async (client) => {
      const url = await urlOf(client)
      await client.account.clock.advance('30d')
      await client.send(url)
    },
  ],
  'a picture of A2': [
    200,
    '',
    ({ send }) => send('/provA/api/v1/services/aigc/multimodal-generation/generation', { json: bodyOfA2 }),
  ],
  'a create of C': [200, '', ({ send }) => send('/v1/videos', { json: bodyOfC })],
  'a poll of C': [200, 'task.id', async (client) => client.send(`/v1/videos/${await idOfC(client)}`)],
  'the file of a video of C': [
    200,
    'task.id',
    async (client) => {
      const id = await idOfC(client)
      await client.account.clock.advance({ to: 'idle' })
      await client.send(`/v1/videos/${id}/content`)
    },
  ],
  'a create of F': [200, '', ({ send }) => send(PATH_OF_F, { json: bodyOfF })],
  'a poll of F': [
    200,
    'task.id',
    async ({ send }) => {
      const { task_id } = (await send(PATH_OF_F, { json: bodyOfF })) as { task_id: string }
      await send(`/provC/v2/query/video_generation/${task_id}`)
    },
  ],
  'a cancel of F': [
    200,
    'task.id',
    async ({ send }) => {
      const { task_id } = (await send(PATH_OF_F, { json: bodyOfF })) as { task_id: string }
      await send(`${PATH_OF_F}/${task_id}`, { method: 'DELETE' })
    },
  ],
  'an upload of a sample': [200, '/_backlot/fixtures/square.png', (client) => upload(client, 'square.png')],
  'an upload of a file that is not known': [
    400,
    'is not known',
    ({ send }) => sendForm(send, { file: new File(['no picture'], 'own.png') }),
  ],
  'an upload without a file': [
    400,
    "form.set('group_id', 'posters')".replaceAll("'", '"'),
    ({ send }) => sendForm(send, { group_id: 'posters' }),
  ],
  'an upload to a path of no operation': [
    404,
    'new FormData()',
    ({ send }) => sendForm(send, { group_id: 'posters' }, '/v1/asset/uplod'),
  ],
  'a picture in Base64, which the journal has cut': [
    200,
    'depended on more',
    async ({ emulator, create }) => {
      const sample = await fetch(`${emulator.url}/_backlot/fixtures/square.png`)
      const base64 = Buffer.from(await sample.arrayBuffer()).toString('base64')
      return create(image(`data:image/png;base64,${base64}`))
    },
  ],
  'a download that a scenario lets expire': [
    403,
    'application/xml',
    async (client) => {
      const url = await urlOf(client)
      await client.account.scenario.play('result-expired')
      await client.send(url)
    },
  ],
  'a download by HEAD that a scenario refuses': [
    403,
    'result.url',
    async (client) => {
      const url = await urlOf(client)
      await client.account.scenario.play('result-refuses-head')
      await client.send(url, { method: 'HEAD' })
    },
  ],
  'a download that a scenario slows down': [
    200,
    'result.url',
    async (client) => {
      const url = await urlOf(client)
      await client.account.scenario.play(step({ transport: { delay: '10ms' } }))
      await client.send(url)
    },
  ],
  'a download whose connection was reset': [
    200,
    'rejects',
    async (client) => {
      const url = await urlOf(client)
      await client.account.scenario.play(step({ transport: { reset: true } }))
      await client.send(url).catch(() => undefined)
    },
  ],
  'a job of an asset that is not there': [
    404,
    '',
    ({ send }) => send('/v1/asset/jobs/get-asset-id?task_id=none'),
  ],
  'a download with another signature': [403, '', async (client) => client.send(`${await urlOf(client)}0`)],
}
