import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { complaintsAbout } from '../../../scripts/check-openapi.js'
import { actions } from '../../../src/emulator/control/actions/index.js'
import { EmulatorError } from '../../../src/emulator/core/errors.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { openApiDocument } from '../../../src/emulator/openapi/document.js'
import { type RunningEmulator, startEmulator } from '../../../src/index.js'
import { samplesOf } from '../../contract/samples.js'
import { startOnPort } from '../../emulator.js'
import { type Exchanged, withExamples } from './exchange.js'

const { operations } = builtIn

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator()
})
afterAll(() => emulator.stop())

/** What the stories below read of an answer. */
interface Told {
  readonly id: string
  readonly task_id: string
  readonly data: { readonly task_id: string }
  readonly items: readonly { readonly id: string }[]
}

/** Calls the emulator and keeps every exchange. */
const conversation = () => {
  const exchanged: Exchanged[] = []
  const call = async (method: string, path: string, sent?: unknown, key = 'traffic'): Promise<Told> => {
    const isForm = sent instanceof FormData
    const response = await fetch(emulator.url + path, {
      method,
      // A busy machine can reach the end of a kept connection between two calls.
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
      ...(sent === undefined ? {} : { body: isForm ? sent : JSON.stringify(sent) }),
    })
    const body = await response.json()
    const kept = isForm || sent === undefined ? {} : { sent }
    exchanged.push({ method, path, status: response.status, body, ...kept })
    return body as Told
  }
  return { exchanged, call }
}

const TASKS = '/provB/api/v3/contents/generations/tasks'
const V2 = '/provC/v2/video_generation'
const bodyOf = (family: string): object =>
  samplesOf(family).find(({ name }) => name.startsWith('text') || family.startsWith('e'))?.body as object

const pathsOfIds = (id: string) => ({
  b: `${TASKS}/${id}`,
  c: `/v1/videos/${id}`,
  f: `/provC/v2/query/video_generation/${id}`,
})

test('answers of the service match the document', async () => {
  const { exchanged, call } = conversation()
  for (const family of ['a-image', 'a2-image'])
    await call('POST', '/provA/api/v1/services/aigc/multimodal-generation/generation', bodyOf(family))
  await call('POST', '/provA/api/v1/services/aigc/multimodal-generation/generation', { model: 'nobody' })

  const b = await call('POST', TASKS, bodyOf('b-video-task'))
  for (let poll = 0; poll < 3; poll += 1) await call('GET', pathsOfIds(b.id).b)
  await call('GET', `${TASKS}?page_num=1&filter.task_ids=${b.id}`)
  await call('GET', `${TASKS}?page_num=0`)
  await call('DELETE', pathsOfIds(b.id).b)
  await call('DELETE', pathsOfIds(b.id).b)
  await call('POST', TASKS, {})
  await call('POST', TASKS, bodyOf('b-video-task'), 'no-balance')
  await call('POST', TASKS, bodyOf('b-video-task'), 'rate-limited')
  await call('GET', pathsOfIds('x').b, undefined, 'invalid')

  for (const family of ['c-video', 'e-video-reference']) {
    const created = await call('POST', '/v1/videos', bodyOf(family))
    for (let poll = 0; poll < 4; poll += 1) await call('GET', pathsOfIds(created.id).c)
  }
  await call('GET', pathsOfIds('x').c)
  await call('GET', `${pathsOfIds('x').c}/content`)

  const form = new FormData()
  form.append(
    'file',
    await (await fetch(`${emulator.url}/_backlot/fixtures/square.png`)).blob(),
    'square.png',
  )
  const job = await call('POST', '/v1/asset/upload', form)
  for (const id of [job.data.task_id, job.data.task_id, 'x'])
    await call('GET', `/v1/asset/jobs/get-asset-id?task_id=${id}`)
  await call('POST', '/v1/asset/upload', new FormData())

  const f = await call('POST', V2, bodyOf('f-video-v2'))
  await call('GET', pathsOfIds(f.task_id).f)
  await call('GET', pathsOfIds(f.task_id).f)
  await call('GET', pathsOfIds('x').f)
  const queued = await call('POST', V2, bodyOf('f-video-v2'))
  await call('DELETE', `${V2}/${queued.task_id}`)
  await call('GET', pathsOfIds(queued.task_id).f)

  expect(exchanged.filter(({ status }) => status >= 400).length).toBeGreaterThan(8)
  expect(await complaintsAbout(withExamples(await openApiDocument(actions), exchanged))).toEqual([])
})

test('answers of the control API match the document', async () => {
  const { exchanged, call } = conversation()
  const control = (method: string, path: string, sent?: unknown) => call(method, `/_backlot${path}`, sent)
  const hook = `${emulator.url}/_backlot/inbox/hook`
  const { task_id: id } = await call('POST', V2, { ...bodyOf('f-video-v2'), callback_url: hook })
  await fetch(`${emulator.url}/no/such/path`, { headers: { authorization: 'Bearer traffic' } })

  await control('PUT', '/scenario', { name: 'one-failed-poll' })
  await call('GET', pathsOfIds(id).f)
  await control('POST', '/clock/advance', { to: 'next' })
  const { items } = await control('GET', '/requests?limit=5')
  await control('GET', `/requests/${items[0]?.id}`)
  await control('GET', '/requests/x')
  await control('GET', '/tasks?status=running')
  await control('PATCH', `/tasks/${id}`, { status: 'failed', error: 'server_error' })
  await control('PATCH', `/tasks/${id}`, { status: 'running' })
  await control('PATCH', `/tasks/${id}`, { status: 'nonsense' })
  await control('GET', `/tasks/${id}`)
  await control('POST', '/clock/advance', { by: '10m' })
  const callbacks = await control('GET', '/callbacks?limit=9')
  await control('GET', `/callbacks/${callbacks.items[0]?.id}`)
  await control('POST', `/callbacks/${callbacks.items[0]?.id}/redeliver`)
  await control('GET', '/inbox/hook')
  for (const what of [`task&id=${id}`, 'request', 'callback', 'inbox&name=hook', 'idle'])
    await control('GET', `/wait?for=${what}`)
  await control('GET', '/wait?for=task&id=x&timeout=1ms')
  await control('PUT', '/clock', { mode: 'paused' })
  await control('PATCH', '/account', { balance: 5, limits: { tasksInFlight: 2 } })
  for (const path of [
    '/health',
    '/openapi.json',
    '/clock',
    '/account',
    '/scenario',
    '/timeline',
    '/loose-ends',
  ])
    await control('GET', path)
  for (const path of ['/gaps', '/rules', '/fixtures']) await control('GET', path)
  await control('DELETE', '/scenario')
  await control('POST', '/reset?all=true')

  const document = await openApiDocument(actions)
  expect(await complaintsAbout(withExamples(document, exchanged))).toEqual([])
})

test('an answer of the control API while the store is away matches the document', async () => {
  const { emulator: broken, url } = await startOnPort()
  const away = new EmulatorError('The store is away.', { code: 'store-unavailable' })
  vi.spyOn(broken.store, 'read').mockRejectedValueOnce(away)
  const path = '/_backlot/clock'
  const response = await fetch(url + path)
  expect(response.status).toBe(503)
  const exchanged = [{ method: 'GET', path, status: 503, body: await response.json() }]
  expect(await complaintsAbout(withExamples(await openApiDocument(actions), exchanged))).toEqual([])
})

const operationsOf = (paths: object) =>
  Object.values(paths).flatMap((item) => Object.values(item as Record<string, { operationId: string }>))

test('the document has every operation and every action, by its name', async () => {
  const { paths } = await openApiDocument(actions)
  const ids = operationsOf(paths).flatMap((one) => [
    one.operationId,
    ...((one as { 'x-operations'?: string[] })['x-operations'] ?? []),
  ])
  expect(ids).toEqual(expect.arrayContaining(operations.map(({ id }) => id)))
  expect(ids).toEqual(expect.arrayContaining([...Object.keys(actions), 'results.download']))
})
