import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openOwnTarget } from '../../src/cli/replay.js'
import { type RunningEmulator, startEmulator } from '../../src/client/start-emulator.js'
import type { EmulatorSettings } from '../../src/generated/emulator-settings.js'
import type { Recording } from '../../src/recording/format.js'
import { mediaReader } from '../../src/recording/media.js'
import { parseRecording } from '../../src/recording/parse.js'
import { type Report, replay } from '../../src/recording/replay.js'
import { newFolder } from '../folder.js'
import { jsonOr, paths } from '../listening.js'

export const KEY = 'sk-secret-key-0123456789'

export { paths }

export const text = (prompt = 'a lighthouse') => ({ type: 'text', text: prompt })

export const videoTask = (change: object = {}) => ({
  ...{ model: 'videoa-2-0-260128', content: [text()], duration: 4, resolution: '480p' },
  ...change,
})

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind are looked into
  readonly body: any
}

/** Calls of one account. */
export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  head(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  upload(name: string, bytes: Uint8Array, fields?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** A client with a key, that of the tests where none is given; undefined: a client without a key. */
export const clientOf = (url: string, ...given: readonly [key?: string | undefined]): Client => {
  const key = given.length === 0 ? KEY : given[0]
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { ...authorization, ...(init.headers as Record<string, string>) }
    const response = await fetch(new URL(path, url), { ...init, method, headers })
    const told = await response.text()
    return { status: response.status, body: jsonOr(told, told) }
  }
  return {
    get: (path, headers = {}) => call('GET', path, { headers }),
    head: (path) => call('HEAD', path),
    post: (path, body) =>
      call('POST', path, { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    delete: (path) => call('DELETE', path),
    upload: (name, bytes, fields = {}) => {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name)
      return call('POST', paths.upload, { body: form })
    },
  }
}

/** A receiver or another server, stopped with the test. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Session {
  readonly emulator: RunningEmulator
  readonly client: Client
  as(key: string | undefined): Client
  /** Saves the recording of everything so far into `file`. Resolves with its text. */
  saved(): Promise<string>
  readonly file: string
}

/** An emulator with a client; stopped with the test. */
export const openSession = async (settings: EmulatorSettings = {}): Promise<Session> => {
  const emulator = await startEmulator(settings)
  onTestFinished(() => emulator.stop())
  const file = join(newFolder(), 'session.jsonl')
  return {
    emulator,
    client: clientOf(emulator.url),
    as: (key) => clientOf(emulator.url, key),
    file,
    saved: async () => {
      await emulator.requests.save(file)
      return readFile(file, 'utf8')
    },
  }
}

/** Replays a recording against an emulator of its own; without its file, from the recorded facts of its media. */
export const replayed = async (recording: string | Recording, file?: string): Promise<Report> => {
  const read = typeof recording === 'string' ? parseRecording(recording) : recording
  const { target, close } = await openOwnTarget(read, mediaReader(file))
  try {
    return await replay(read, target)
  } finally {
    await close()
  }
}

/** The outcomes that differ, as short as can be: the line's name and the paths. */
export const differing = ({ mismatches }: Report) =>
  mismatches.map(({ place: { line }, differences }) => [
    line.kind === 'call' ? (line.operation ?? line.request.path) : line.kind,
    ...differences.map(({ path }) => path),
  ])
