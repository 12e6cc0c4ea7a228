import { type Client, createClient, orders, paths, pictureForm } from '../load/client.js'
import type { Promised } from './promises.js'

interface LoadParts {
  readonly port: number
  readonly key: string
  readonly callbackUrl: string
  readonly random: () => number
  readonly promise: (promised: Promised) => void
  /** Called before a task is deleted: it may be gone though no answer came. */
  readonly deleting: (id: string) => void
  /** Called with the description of each unexpected answer. */
  readonly reportUnexpected: (description: string) => void
}

const WORKERS = 4

/** Calls of every kind, several at a time, until the emulator is gone; reports what their answers promise. */
export const startLoad = (parts: LoadParts): Promise<unknown> => {
  const client = createClient(parts.port, parts.key, WORKERS)
  const jobs = [createTask, cancelTask, createV2, upload, drawImage, deleteEnded]
  const work = async () => {
    for (;;) await jobs[Math.floor(parts.random() * jobs.length)]?.(client, parts)
  }
  // The end of the emulator is the end of the load.
  return Promise.allSettled(Array.from({ length: WORKERS }, work)).then(() => client.leave())
}

type Job = (client: Client, parts: LoadParts) => Promise<void>

const createTask: Job = async (client, { promise, reportUnexpected }) => {
  const { status, json } = await client.ask('POST', paths.tasks, { body: orders.task })
  if (status !== 200) return reportUnexpected(`create: ${status}`)
  const id = String(json?.id)
  promise({ at: performance.now(), kind: 'task', id, path: `${paths.tasks}/${id}`, callsBack: false })
}

const createV2: Job = async (client, { promise, reportUnexpected, callbackUrl }) => {
  const { status, json } = await client.ask('POST', paths.videosV2, { body: orders.videoV2(callbackUrl) })
  if (status !== 200) return reportUnexpected(`create with a callback: ${status}`)
  const id = String(json?.output?.task_id)
  promise({ at: performance.now(), kind: 'task', id, path: `${paths.videosV2Query}/${id}`, callsBack: true })
}

const cancelTask: Job = async (client, { promise }) => {
  const { json } = await client.ask('POST', paths.tasks, { body: orders.task })
  const path = `${paths.tasks}/${String(json?.id)}`
  const { status } = await client.ask('DELETE', path)
  // It may run already, and then cannot be cancelled.
  if (status === 200)
    promise({ at: performance.now(), kind: 'gone', id: String(json?.id), path, as: 'cancelled' })
}

const deleteEnded: Job = async (client, { promise, deleting }) => {
  const { json } = await client.ask('GET', `${paths.tasks}?filter.status=succeeded&page_size=20`)
  const id = json?.items?.[0]?.id
  if (id === undefined) return
  const path = `${paths.tasks}/${String(id)}`
  deleting(String(id))
  const { status } = await client.ask('DELETE', path)
  if (status === 200) promise({ at: performance.now(), kind: 'gone', id: String(id), path, as: 'deleted' })
}

const upload: Job = async (client, { promise, reportUnexpected }) => {
  const { status, json } = await client.ask('POST', paths.upload, { body: pictureForm() })
  // A library that is full says so, and is.
  if (status === 429) return
  if (status !== 200) return reportUnexpected(`upload: ${status}`)
  promise({ at: performance.now(), kind: 'asset', id: String(json?.data?.task_id) })
}

const drawImage: Job = async (client, { promise, reportUnexpected }) => {
  const { status, json } = await client.ask('POST', paths.images, { body: orders.image })
  if (status !== 200) return reportUnexpected(`image: ${status}`)
  const url = new URL(String(json?.output?.choices?.[0]?.message?.content?.[0]?.image))
  const path = url.pathname + url.search
  const { status: got, bytes } = await client.ask('GET', path)
  if (got !== 200) return reportUnexpected(`download: ${got}`)
  promise({ at: performance.now(), kind: 'result', path, bytes: bytes.length })
}
