import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import type { EmulatorDependencies } from '../../src/emulator/composition/dependencies.js'
import type { SettingsInput } from '../../src/emulator/settings.js'
import { bodies, jsonOr, localPart, paths, startOnPort } from '../emulator.js'
import { newFolder } from '../folder.js'

export { localPart, paths }

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

export type RawCalls = Awaited<ReturnType<typeof startForRawCalls>>

export const KEY = 'sk-raw-0123456789'

/** An emulator on a port, with a media folder of its own, whose `ask` changes nothing about a path and adds no header. */
export const startForRawCalls = async (
  settings: SettingsInput = {},
  dependencies: EmulatorDependencies = {},
) => {
  const folder = settings.mediaFolder ?? newFolder()
  const { emulator, url, port, bugs } = await startOnPort(
    { timing: 'instant', ...settings, mediaFolder: folder },
    dependencies,
  )
  const ask = (path: string, asked?: Asked) => askAt(port, path, asked)
  /** With a key, and JSON. */
  const post = (path: string, body: object, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { emulator, url, port, bugs, folder, ask, post }
}

/** Path of a file that an emulator with this media folder has drawn in this run: each run has a folder of its own. */
export const drawnFile = async (mediaFolder: string): Promise<string> => {
  const files = await readdir(join(mediaFolder, 'drawn'), { recursive: true })
  const file = files.find((name) => /[0-9a-f]{64}\.(png|mp4)$/.test(name))
  if (file === undefined) throw new Error(`There is no drawn file among ${JSON.stringify(files)}.`)
  return join(mediaFolder, 'drawn', file)
}

export const imageOrder = (prompt = 'a lighthouse', content: object[] = []) => ({
  ...bodies.image(),
  input: { messages: [{ role: 'user', content: [...content, { text: prompt }] }] },
})

export const videoOrder = (change: object = {}) =>
  bodies.task({ duration: 4, resolution: '480p', generate_audio: false, ...change })

/** The URL of a picture that was made. */
export const pictureUrl = async ({ post }: Pick<RawCalls, 'post'>, prompt?: string): Promise<string> =>
  (await post(paths.image, imageOrder(prompt))).body.output.choices[0].message.content[0].image
