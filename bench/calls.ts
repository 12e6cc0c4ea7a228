import { setTimeout } from 'node:timers/promises'

/** Creates of each family, as a client sends them: short prompts, and a picture where one is required. */

const PROMPT = 'A lighthouse in the fog, seen from a small boat'

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
}

const post = (path: string, body: object): Call => ({ method: 'POST', path, body })

export const get = (path: string): Call => ({ method: 'GET', path })

const text = [{ type: 'text', text: PROMPT }]

export const TASKS = '/provB/api/v3/contents/generations/tasks'

export const creates = {
  A: post('/provA/api/v1/services/aigc/multimodal-generation/generation', {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: PROMPT }] }] },
    parameters: { size: '1024*1024' },
  }),
  B: post(TASKS, { model: 'videoa-2-0-260128', content: text }),
  C: post('/v1/videos', { model: 'videoa-2-0-260128', media: text }),
  E: post('/v1/videos', {
    model: 'beta2.7-r2v',
    prompt: PROMPT,
    // The emulator reads its own fixtures under any host, without the network.
    subject_reference: [{ type: 'character', image: ['http://127.0.0.1/_backlot/fixtures/portrait.jpeg'] }],
  }),
  F: post('/provC/v2/video_generation', { model: 'gamma-H3', content: text, duration: 5 }),
} as const

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

/** Makes one call and returns its answer. @throws Error when it is refused */
export const ask = async <Answer>(
  url: string,
  { method, path, body }: Call,
  key = 'bench',
): Promise<Answer> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url + path, { method, headers: headersOf(key), ...sent })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${answer}`)
  return JSON.parse(answer) as Answer
}

/** Calls the control API with a POST. */
export const control = <Answer>(url: string, path: string, body?: object, key?: string): Promise<Answer> =>
  ask(url, post(`/_backlot/${path}`, body ?? {}), key)

/** Waits until nothing is left to happen on a live clock. It looks now and then: a call that waits costs at each event. */
export const waitForIdle = async (url: string): Promise<void> => {
  while ((await ask<{ next: string | null }>(url, get('/_backlot/clock'))).next !== null)
    await setTimeout(100)
}

/** Bytes of a call on the wire, as HTTP/1.1. */
export const wireOf = (url: string, { method, path, body }: Call, key = 'bench'): Buffer => {
  const head = { host: new URL(url).host, ...headersOf(key) }
  const bytes = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({ ...head, 'content-length': Buffer.byteLength(bytes) })
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${bytes}`,
  )
}
