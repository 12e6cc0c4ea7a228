import { expect, onTestFinished, test } from 'vitest'
import { type AccountHandles, type RunningEmulator, startEmulator } from '../../../src/index.js'
import type { LooseEnd } from '../../../src/testing/use-emulator.js'
import { useEmulator } from '../../../src/testing/vitest/index.js'
import { asTest } from '../../../src/ui/state/copy-test.js'

// The helper that a copied test imports: what fails a test at its end fails it here as well.
const helper = useEmulator({ shared: false })

const KEY = 'alice-key'
const TASKS = '/provB/api/v3/contents/generations/tasks'

// biome-ignore lint/complexity/useArrowFunction: its constructor runs source
const AsyncFunction = async function () {}.constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>

/** Runs the source of a copied test. */
const run = async (source: string): Promise<void> => {
  const tests: (() => Promise<void>)[] = []
  await new AsyncFunction('useEmulator', 'expect', 'test', source.replace(/^import .*$/gm, ''))(
    ({ allow = [] }: { allow?: LooseEnd[] } = {}) => {
      helper.allow(...allow)
      return helper
    },
    expect,
    (_: string, body: () => Promise<void>) => tests.push(body),
  )
  expect(tests).toHaveLength(1)
  await tests[0]?.()
}

interface Client {
  readonly emulator: RunningEmulator
  readonly account: AccountHandles
  readonly send: (path: string, init?: RequestInit & { readonly json?: object }) => Promise<unknown>
  readonly create: (more?: object) => Promise<{ id: string }>
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: meant as it stands
const PROMPT = 'it\'s "quoted" `${1 + 1}` \\ end'

const bodyOf = (more: object = {}) => ({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: PROMPT }],
  ...more,
})

const openClient = async (): Promise<Client> => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  const send: Client['send'] = async (path, { json, ...init } = {}) => {
    const response = await fetch(path.startsWith('http') ? path : emulator.url + path, {
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
      ...init,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(json && { 'content-type': 'application/json' }),
        ...(init.headers as Record<string, string> | undefined),
      },
    })
    const text = await response.text()
    return text.startsWith('{') ? JSON.parse(text) : text
  }
  const create = (more?: object) => send(TASKS, { json: bodyOf(more) }) as Promise<{ id: string }>
  return { emulator, account: emulator.account(KEY), send, create }
}

/** The URL of the video of a new task. */
const urlOf = async ({ create, account, send }: Client): Promise<string> => {
  const { id } = await create()
  await account.clock.advance({ to: 'idle' })
  const task = (await send(`${TASKS}/${id}`)) as { content: { video_url: string } }
  return task.content.video_url
}

const image = (url: string) => ({ content: [{ type: 'image_url', image_url: { url }, role: 'first_frame' }] })

const step = (then: object) => ({ name: 'own', description: 'Own.', steps: [{ then }] }) as never

/** Calls of every kind of answer; the last call of each is copied, and the test of it contains a text. */
const kinds: Readonly<
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
  'a download with another signature': [403, '', async (client) => client.send(`${await urlOf(client)}0`)],
}

test.each(Object.entries(kinds))(
  'a copied test passes where it is pasted: %s',
  async (kind, [status, contains, call]) => {
    const client = await openClient()
    await call(client)
    // A call without a key is one of the default account.
    const account = client.emulator.account(kind.includes('without a key') ? 'default' : KEY)
    const [record] = await account.requests.list()
    const request = await account.requests.get(record?.id ?? '')
    const creatorId = request.followed.task?.requestId
    const creator = creatorId === undefined ? undefined : await account.requests.get(creatorId)
    const source = asTest(request, { creator, errors: ['ServerOverloaded'] })
    expect(request.connection ? 200 : request.status).toBe(status)
    expect(source).toContain(contains)
    await run(source)
  },
)

test('a test of a download whose task is gone is refused', async () => {
  const client = await openClient()
  await client.send(await urlOf(client))
  const [record] = await client.account.requests.list()
  const request = await client.account.requests.get(record?.id ?? '')
  expect(() => asTest(request)).toThrow('No test repeats this download')
})
