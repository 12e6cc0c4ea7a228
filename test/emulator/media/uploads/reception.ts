import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { form } from '../../../../src/emulator/families/d-assets/schema.js'
import { FolderBlobStore } from '../../../../src/emulator/media/files/blob-store.js'
import { Uploads } from '../../../../src/emulator/media/uploads/uploads.js'
import { type SettingsInput, settingsSchema } from '../../../../src/emulator/settings.js'

type Received = Awaited<ReturnType<Uploads['receive']>>

export const picture = readFileSync('fixtures/media/first-frame.png')

const BOUNDARY = 'a-boundary-that-no-file-holds'

export interface Part {
  readonly name?: string
  /** Left out for a plain field. */
  readonly filename?: string
  /** Left out where the part says none. */
  readonly contentType?: string
  readonly value: string | Buffer
}

const head = ({ name, filename, contentType }: Part): string =>
  [
    `--${BOUNDARY}\r\nContent-Disposition: form-data`,
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(filename === undefined ? [] : [`filename="${filename}"`]),
  ].join('; ') + (contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`)

/** A form as it stands on the wire. */
export const formOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(`${head(part)}\r\n\r\n`),
      Buffer.from(part.value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])

export const file = (change: Partial<Part> = {}): Part => ({
  name: 'file',
  filename: 'first-frame.png',
  value: picture,
  ...change,
})

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

export interface ReceptionParts {
  readonly settings?: SettingsInput
  readonly blobs?: Partial<ConstructorParameters<typeof FolderBlobStore>[0]>
  /** Where files are while they come in; default: a folder of its own. */
  readonly folder?: string
}

/** Uploads with a server in front of them that only takes in forms. */
export const openReception = async (parts: ReceptionParts = {}) => {
  const root = await mkdtemp(join(tmpdir(), 'uploads-'))
  const folder = parts.folder ?? join(root, 'uploads')
  const blobs = new FolderBlobStore({ folder: join(root, 'inputs'), maxBytes: 2 ** 30, ...parts.blobs })
  const uploads = new Uploads({ settings: settingsSchema.parse(parts.settings ?? {}), folder, blobs })
  const begun: Promise<Received>[] = []
  const server = createServer((incoming: IncomingMessage, response) => {
    const received = uploads.receive(incoming, form)
    begun.push(received)
    server.emit('begun')
    received.then(
      ({ body }) => response.end(JSON.stringify(body)),
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await uploads.stop()
    await blobs.stop()
    await rm(root, { recursive: true, force: true })
  })

  /** Sends a form to its end; the body that it was read as. */
  const send = async (parts: readonly Part[] | Buffer, contentType = FORM_TYPE) => {
    const headers = contentType === '' ? {} : { 'content-type': contentType }
    const call = request({ port, host: '127.0.0.1', method: 'POST', agent: false, headers })
    call.end(Buffer.isBuffer(parts) ? parts : formOf(parts))
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  }

  /** Sends the beginning of a form whose file never ends; comes back when it is being read. */
  const beginToSend = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const beginning = formOf([file()]).subarray(0, 2_000)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: 100000\r\n\r\n`)
    const isRead = once(server, 'begun')
    socket.write(beginning)
    await isRead
    return { socket, received: begun.at(-1) as Promise<Received> }
  }

  const filesIn = async (): Promise<string[]> => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }

  /** Sends a form in chunks, which does not say how long it is; how many bytes were received. */
  const bytesOfChunks = async (form: Buffer): Promise<number> => {
    const headers = { 'content-type': FORM_TYPE, 'transfer-encoding': 'chunked' }
    const call = request({ port, host: '127.0.0.1', method: 'POST', agent: false, headers })
    call.on('error', () => {})
    call.end(form)
    await once(call, 'response')
    return ((await begun.at(-1)) as Received).bytes
  }

  return { uploads, blobs, send, bytesOfChunks, beginToSend, filesIn }
}
