import { type AccountHandles, createHandles } from '../../src/client/handles.js'
import { localTransport } from '../../src/client/start-emulator.js'
import type { SettingsInput } from '../../src/core/settings.js'
import { readGiven } from '../../src/scenarios/library.js'
import type { SetTimer } from '../../src/timers.js'
import { jsonOr, openListening, paths } from '../listening.js'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
  readonly body: any
}

export interface AskOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Stage {
  readonly url: string
  /** The handles of the account that calls are made as. */
  readonly handles: AccountHandles
  /** Milliseconds that scenarios had something wait for, in order; none of them passes in real time. */
  readonly waited: number[]
  /** @throws what `fetch` throws, where the connection ends before the answer does */
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answered>
  /** Uploads a file to the asset library. */
  upload(bytes: Uint8Array, name: string): Promise<Answered>
  /** Asks until a task of a family has ended; every answer, the last one last. */
  poll(family: VideoFamily, id: string, most?: number): Promise<Answered[]>
}

export const KEY = 'test-key'

/** An emulator that listens and plays a scenario for every account, for the length of a test. */
export const openStage = async (
  scenario: string | object | readonly (string | object)[],
  settings: SettingsInput = {},
): Promise<Stage> => {
  const waited: number[] = []
  const setTimer: SetTimer = (ring, ms) => {
    waited.push(ms)
    const timer = setImmediate(ring)
    return () => clearImmediate(timer)
  }
  const scenarios = await readGiven(Array.isArray(scenario) ? scenario : [scenario])
  const { emulator, url } = await openListening(
    { clock: 'on-poll', ...settings },
    { setTimer, scenarios },
    (bugs) => {
      if (bugs.length > 0) throw new AggregateError(bugs, 'the emulator had bugs to tell of')
    },
  )

  const send = async (path: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(new URL(path, url), init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: jsonOr(text) }
  }
  const ask: Stage['ask'] = (method, path, body, { key = KEY, headers = {}, signal } = {}) =>
    send(path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  return {
    url,
    handles: createHandles(KEY, localTransport(emulator, KEY), url),
    waited,
    ask,
    upload: (bytes, name) => {
      const form = new FormData()
      form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name)
      return send(paths.upload, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body: form,
      })
    },
    poll: async (family, id, most = 20) => {
      const answers: Answered[] = []
      for (let left = most; left > 0; left -= 1) {
        const answer = await ask('GET', family.query(id))
        answers.push(answer)
        if (['succeeded', 'failed', 'cancelled', 'expired'].includes(answer.body?.status)) break
      }
      return answers
    },
  }
}

/** How a video is asked for in one of the families. */
export interface VideoFamily {
  readonly id: string
  readonly create: string
  body(change?: object): object
  query(id: string): string
  idOf(answer: Answered): string
  /** The URL of the result in an answer to a query; undefined where there is none. */
  resultOf(answer: Answered): string | undefined
}

const text = { type: 'text', text: 'A lighthouse in the fog' }

export const b: VideoFamily = {
  id: 'b-video-task',
  create: paths.tasks,
  body: (change) => ({
    model: 'videoa-2-0-260128',
    content: [text],
    resolution: '480p',
    duration: 4,
    ...change,
  }),
  query: (id) => `${paths.tasks}/${id}`,
  idOf: ({ body }) => body.id,
  resultOf: ({ body }) => body.content?.video_url,
}

export const c: VideoFamily = {
  id: 'c-video',
  create: paths.videos,
  body: (change) => ({ model: 'videoa-2-0-260128', media: [text], size: '480p', seconds: '4', ...change }),
  query: (id) => `${paths.videos}/${id}`,
  idOf: ({ body }) => body.task_id,
  resultOf: ({ body }) => body.content?.video_url,
}

export const e: VideoFamily = {
  ...c,
  id: 'e-video-reference',
  body: (change) => ({
    model: 'beta2.7-r2v',
    subject_reference: [{ type: 'character', image: ['https://pictures.test/a.png'] }],
    prompt: 'A character walks',
    ...change,
  }),
}

export const f: VideoFamily = {
  id: 'f-video-v2',
  create: paths.second,
  body: (change) => ({ model: 'gamma-H3', content: [text], duration: 4, ...change }),
  query: (id) => `/provC/v2/query/video_generation/${id}`,
  idOf: ({ body }) => body.task_id,
  resultOf: ({ body }) => body.content?.url,
}

export const videoFamilies: readonly VideoFamily[] = [b, c, e, f]

/** Creates a task and gives its id. */
export const create = async (stage: Stage, family: VideoFamily, change?: object): Promise<string> =>
  family.idOf(await stage.ask('POST', family.create, family.body(change)))

export const IMAGES = paths.image

export const image = (model = 'alpha-image-3.0-pro') => ({
  model,
  input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] },
  parameters: { size: '512*512' },
})
