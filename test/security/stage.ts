import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { SettingsInput } from '../../src/core/settings.js'
import type { EmulatorDependencies } from '../../src/emulator.js'
import { newFolder } from '../folder.js'
import { jsonOr, type Listening, openListening, paths } from '../listening.js'

export { paths }

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind are looked into
  readonly body: any
}

/** Asks for exactly this path, which other clients would make a better one of, with exactly these headers. */
export const askAt = async (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<Answer> => {
  const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
  asking.end(body)
  const [response] = await once(asking, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString('utf8')
  return { status: response.statusCode, headers: response.headers, bytes, text, body: jsonOr(text) }
}

export interface Stage extends Listening {
  readonly folder: string
  ask(path: string, asked?: Asked): Promise<Answer>
  /** With a key, and JSON. */
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

export const KEY = 'sk-stage-0123456789'

/** An emulator on a port, with a folder of its own, for the length of a test. */
export const openStage = async (
  settings: SettingsInput = {},
  outside: EmulatorDependencies = {},
): Promise<Stage> => {
  const folder = settings.mediaFolder ?? newFolder()
  const listening = await openListening(
    { clock: 'paused', timing: 'instant', ...settings, mediaFolder: folder },
    outside,
  )
  const ask = (path: string, asked?: Asked) => askAt(listening.port, path, asked)
  const post = (path: string, body: object, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { ...listening, folder, ask, post }
}

export const imageOrder = (prompt = 'a lighthouse', content: object[] = []) => ({
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [...content, { text: prompt }] }] },
  parameters: { size: '512*512' },
})

export const videoOrder = (change: object = {}) => ({
  ...{ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] },
  ...{ duration: 4, resolution: '480p', generate_audio: false },
  ...change,
})

/** The URL of a picture that was made. */
export const pictureUrl = async ({ post }: Pick<Stage, 'post'>, prompt?: string): Promise<string> =>
  (await post(paths.image, imageOrder(prompt))).body.output.choices[0].message.content[0].image

/** The path and query of a URL. */
export const localPart = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}
