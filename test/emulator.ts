import supertest from 'supertest'
import { afterAll, expect, onTestFinished, TestRunner } from 'vitest'
import { addOns, openEmulator } from '../src/composition.js'
import { createEmulatorHandles, createHandles } from '../src/emulator/client/handles.js'
import { localTransport } from '../src/emulator/client/local-transport.js'
import type { EmulatorDependencies } from '../src/emulator/composition/dependencies.js'
import { allRules } from '../src/emulator/control/rules.js'
import { createEmulator } from '../src/emulator/emulator.js'
import { builtIn } from '../src/emulator/families/index.js'
import { listen } from '../src/emulator/listen.js'
import { readSettings, type SettingsInput } from '../src/emulator/settings.js'

/*
 * Emulators for tests, and clients of them. `startOnPort` is for tests that speak HTTP, `openInProcess` for those that want an
 * answer and no port. Both have a paused clock unless the settings say otherwise, and end with their test or file. What a
 * folder of tests adds (a scenario, a state file, a shared store) is a function beside its tests that calls one of the two.
 */

/** The account of calls for which a test names none. */
export const KEY = 'alice'

export const paths = {
  image: '/provA/api/v1/services/aigc/multimodal-generation/generation',
  tasks: '/provB/api/v3/contents/generations/tasks',
  videos: '/v1/videos',
  upload: '/v1/asset/upload',
  resolve: '/v1/asset/jobs/get-asset-id',
  second: '/provC/v2/video_generation',
  secondQuery: '/provC/v2/query/video_generation',
} as const

const text = { type: 'text', text: 'a lighthouse' }

/** Bodies that are accepted, as small as they can be. */
export const bodies = {
  image: (parameters: object = { size: '512*512' }) => ({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
    parameters,
  }),
  task: (change: object = {}) => ({ model: 'videoa-2-0-260128', content: [text], ...change }),
  second: (change: object = {}) => ({ model: 'gamma-H3', content: [text], duration: 5, ...change }),
} as const

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** From the header X-Request-Id; empty where there is none. */
  readonly requestId: string
  readonly text: string
  /** The text as JSON; undefined where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind are looked into
  readonly body: any
}

type SentHeaders = Readonly<Record<string, string>>

export interface CallOptions {
  readonly headers?: SentHeaders | undefined
  readonly signal?: AbortSignal
}

export type Client = ReturnType<typeof clientOf>

/** Calls of one account over HTTP; without a key where it is undefined. */
export const clientOf = (url: string, key: string | undefined) => {
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }

  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(new URL(path, url), init)
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, requestId: headers.get('x-request-id') ?? '', text, body: jsonOr(text) }
  }

  /** A body that is a string or bytes is sent as it is, another one as JSON. */
  const ask = (method: string, path: string, body?: unknown, { headers, signal }: CallOptions = {}) =>
    send(path, {
      method,
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })

  const create = (change?: object) => ask('POST', paths.tasks, bodies.task(change))
  const query = (id: string) => ask('GET', `${paths.tasks}/${id}`)

  return {
    ask,
    get: (path: string, headers?: SentHeaders) => ask('GET', path, undefined, { headers }),
    head: (path: string) => ask('HEAD', path),
    post: (path: string, body: unknown, headers?: SentHeaders) => ask('POST', path, body, { headers }),
    delete: (path: string) => ask('DELETE', path),

    /** Uploads a file to the asset library. */
    upload: (name: string, bytes: Uint8Array, fields: Readonly<Record<string, string>> = {}) => {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name)
      return send(paths.upload, { method: 'POST', headers: authorization, body: form })
    },

    // Tasks of family B, whole answers.
    create,
    query,
    list: (search = 'page_size=100') => ask('GET', `${paths.tasks}?${search}`),
    cancel: (id: string) => ask('DELETE', `${paths.tasks}/${id}`),
    createImage: (parameters?: object) => ask('POST', paths.image, bodies.image(parameters)),

    // The id of a new task, and the status of one.
    createB: async (change?: object): Promise<string> => (await create(change)).body.id,
    createF: async (change?: object): Promise<string> =>
      (await ask('POST', paths.second, bodies.second(change))).body.task_id,
    statusOfB: async (id: string): Promise<string> => (await query(id)).body.status,
    statusOfF: async (id: string): Promise<string> =>
      (await ask('GET', `${paths.secondQuery}/${id}`)).body.status,
  }
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

/** A paused clock, and no media kept for other emulators: a test that counts renders would depend on the tests before it. */
const defaults = ({ mediaFolder }: SettingsInput): SettingsInput => ({
  clock: 'paused',
  // In a folder of the test, the cache is the test's own.
  ...(mediaFolder === undefined ? { mediaCache: 'none' } : {}),
})

export type StartedEmulator = Awaited<ReturnType<typeof startOnPort>>

/**
 * An emulator on a port. Calls and handles of the account `KEY` are spread into it; `as` gives those of another account. An
 * internal error that the test does not take out of `bugs` fails it.
 */
export const startOnPort = async (settings: SettingsInput = {}, dependencies: EmulatorDependencies = {}) => {
  const bugs: unknown[] = []
  const warnings: string[] = []
  const emulator = await openEmulator(readSettings({ ...defaults(settings), port: 0, ...settings }), {
    onInternalError: (bug) => void bugs.push(bug),
    onWarning: (sentence) => void warnings.push(sentence),
    ...dependencies,
  })
  const { url, port, server, close: stop } = await listen(emulator)
  atEnd(async () => {
    await stop()
    if (bugs.length > 0) throw new AggregateError(bugs, 'The emulator had internal errors.')
  })
  const handles = createEmulatorHandles(url, (key) => localTransport(emulator, key))
  const as = (key: string) => ({ ...handles.account(key), ...clientOf(url, key) })
  return { ...as(KEY), emulator, handles, url, port, server, bugs, warnings, as, stop }
}

/** An emulator without a port, called by supertest. */
export const openInProcess = (settings: SettingsInput = {}, dependencies: EmulatorDependencies = {}) => {
  const emulator = createEmulator(readSettings({ ...defaults(settings), ...settings }), {
    ...addOns,
    ...dependencies,
  })
  const refusedBy = new Set<string>()
  emulator.events.on('request', (entry) => {
    for (const { rule } of entry.refusedBy) refusedBy.add(rule)
  })
  atEnd(async () => {
    await emulator.stop()
    // Whatever stands in a journal can be looked up in the list of rules.
    const listed = allRules(builtIn).map(({ id }) => id)
    expect(listed).toEqual(expect.arrayContaining([...refusedBy]))
  })
  const agent = supertest(emulator.app)
  const as = (key: string) => ({
    ...createHandles(key, localTransport(emulator, key)),
    get: (path: string) => agent.get(path).set('Authorization', `Bearer ${key}`),
    patch: (path: string, body: object) => agent.patch(path).set('Authorization', `Bearer ${key}`).send(body),
    delete: (path: string) => agent.delete(path).set('Authorization', `Bearer ${key}`),
    post: (path: string, body: object | string) =>
      agent
        .post(path)
        .set('Authorization', `Bearer ${key}`)
        .set('Content-Type', 'application/json')
        .send(body),
  })
  return { emulator, agent, as }
}

/** At the end of the running test; of the file where none runs, since Vitest never calls an `afterAll` of a running test. */
const atEnd = (end: () => Promise<void>): void => {
  if (TestRunner.getCurrentTest() === undefined) afterAll(end)
  else onTestFinished(end)
}

/** The path and query of an absolute URL, for a client that brings its own host. */
export const localPart = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** What a text says as JSON; where it is none, what is given instead. */
export const jsonOr = (text: string, otherwise?: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
