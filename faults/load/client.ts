import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { FORM_TYPE, formOf } from '../../test/emulator/media/uploads/reception.js'

/** An answer of any status. */
export interface Reply {
  readonly status: number
  readonly bytes: Buffer
  /** Of a JSON answer; undefined where it is none. */
  readonly json: Json | undefined
}

type Json = { readonly [name: string]: Json | undefined } & { readonly [index: number]: Json }

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | Buffer
}

/** Client that uses the service properly. Rejects where there is no answer. */
export interface Client {
  ask(method: string, path: string, options?: CallOptions): Promise<Reply>
  leave(): void
}

const PATIENCE_MS = 30_000

export const createClient = (port: number, key: string, atOnce = 8): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  return {
    ask: (method, path, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const isForm = Buffer.isBuffer(body)
        const type = isForm ? FORM_TYPE : 'application/json'
        const all = { Authorization: `Bearer ${key}`, 'Content-Type': type, ...headers }
        const call = request({ port, host: '127.0.0.1', method, path, agent, headers: all })
        call.setTimeout(PATIENCE_MS, () => call.destroy(new Error(`${method} ${path}: no answer`)))
        call.once('error', reject)
        call.once('response', (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.once('error', reject)
          answer.once('end', () => resolve(replyOf(answer.statusCode ?? 0, Buffer.concat(chunks))))
        })
        call.end(body === undefined || isForm ? body : JSON.stringify(body))
      }),
    leave: () => agent.destroy(),
  }
}

const replyOf = (status: number, bytes: Buffer): Reply => {
  const isJson = bytes[0] === 0x7b && bytes.length < 2 ** 20
  return { status, bytes, json: isJson ? (JSON.parse(bytes.toString('utf8')) as Json) : undefined }
}

export const paths = {
  images: '/provA/api/v1/services/aigc/multimodal-generation/generation',
  tasks: '/provB/api/v3/contents/generations/tasks',
  videos: '/v1/videos',
  upload: '/v1/asset/upload',
  resolve: '/v1/asset/jobs/get-asset-id',
  videosV2: '/provC/v2/video_generation',
  videosV2Query: '/provC/v2/query/video_generation',
} as const

/** The smallest create of each family. */
export const orders = {
  image: {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
    parameters: { size: '512*512' },
  },
  secondImage: {
    model: 'alpha-image-2.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
    parameters: { size: '512*512' },
  },
  task: { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] },
  video: { model: 'videoa-2-0-260128', media: [{ type: 'text', text: 'a lighthouse' }] },
  reference: {
    model: 'beta2.7-r2v',
    subject_reference: [{ type: 'character', image: ['http://example.com/one.png'] }],
    prompt: 'a lighthouse',
  },
  videoV2: (callbackUrl: string) => ({
    model: 'gamma-H3',
    content: [{ type: 'text', text: 'a lighthouse' }],
    duration: 4,
    callback_url: callbackUrl,
  }),
} as const

const picture = readFileSync(new URL('../../fixtures/media/side-300.png', import.meta.url))

/** A form with a small picture, as `POST /v1/asset/upload` takes it. */
export const pictureForm = (): Buffer => formOf([{ name: 'file', filename: 'side.png', value: picture }])
