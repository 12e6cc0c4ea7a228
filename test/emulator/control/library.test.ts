import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../../src/index.js'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
const ask = async (path: string, input?: object, key = 'default'): Promise<any> => {
  const response = await fetch(`${emulator.url}/_backlot${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    ...(input === undefined ? {} : { method: 'POST', body: JSON.stringify(input) }),
  })
  return response.json()
}

const TASKS = '/provB/api/v3/contents/generations/tasks'
const video = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }], duration: 4 }

describe('operations', () => {
  test('are listed with route, schema and samples', async () => {
    const { items } = await ask('/operations')
    const create = items.find(({ id }: { id: string }) => id === 'b-video-task.create')
    expect(create).toMatchObject({
      method: 'POST',
      path: TASKS,
      needsKey: true,
      fileField: null,
      query: null,
    })
    expect(create.body.properties.content).toBeDefined()
    expect(
      items.find(({ id }: { id: string }) => id === 'b-video-task.list').query.properties,
    ).toHaveProperty('page_num')
    const upload = items.find(({ id }: { id: string }) => id === 'd-assets.upload')
    expect(upload).toMatchObject({ fileField: 'file', body: null })
    expect(upload.samples[0].form.file).toMatch(/\.\w+$/)
  })

  test('that make something have a valid request first, and none of the others costs less', async () => {
    const { items } = await ask('/operations')
    const creates = items.filter(({ method }: { method: string }) => method === 'POST')
    expect(creates.length).toBeGreaterThan(5)
    for (const { id, samples, fileField } of creates) {
      const prices: number[] = []
      for (const { body, form } of samples) {
        const { [fileField]: fixture, ...fields } = form ?? {}
        const input =
          form === null
            ? { body: JSON.parse(JSON.stringify(body).replaceAll('{origin}', emulator.url)) }
            : { fields, fixture }
        const { status, task } = await ask('/dry-run', { operation: id, ...input })
        expect([id, status]).toEqual([id, 200])
        prices.push(task?.price ?? 0)
      }
      expect([id, prices[0]]).toEqual([id, Math.min(...prices)])
    }
  })
})

describe('ready-made scenarios', () => {
  test('are listed with what they are about and with their files', async () => {
    const { items } = await ask('/scenarios')
    const burst = items.find(({ name }: { name: string }) => name === 'rate-limit-burst')
    expect(burst).toMatchObject({
      about: 'create',
      steps: 4,
      text: await readFile('scenarios/rate-limit-burst.yaml', 'utf8'),
    })
    expect(burst.description).toContain('429')
    expect(burst.advice).toContain('Retry-After')
  })

  test('pass the check', async () => {
    for (const { text } of (await ask('/scenarios')).items)
      expect((await ask('/scenarios/check', { text })).problems).toEqual([])
  })
})

describe('the check of a scenario', () => {
  test('finds everything that is wrong, with its place', async () => {
    const text =
      'name: mine\ndescription: Mine.\nsteps:\n  - when: { operation: b-video.create }\n    then: { answer: { statuss: 503 } }\n'
    const { problems, document } = await ask('/scenarios/check', { text })
    expect(document).toBeNull()
    expect(problems.map(({ line }: { line: number }) => line)).toEqual([4, 5])
    expect(problems[0].message).toContain('b-video-task.create')
  })

  test('gives the document, which can be played', async () => {
    const { document } = await ask('/scenarios/check', {
      text: 'name: mine\ndescription: Mine.\nsteps:\n  - then: { answer: { status: 503 } }\n',
    })
    await emulator.account('played').scenario.play(document)
    expect((await emulator.account('played').scenario.steps())[0]?.scenario).toBe('mine')
  })

  test('says where a text is no YAML', async () => {
    const { problems } = await ask('/scenarios/check', { text: 'name: [' })
    expect(problems[0]).toMatchObject({ line: 1 })
  })

  test('has the words that a file may use', async () => {
    const { schema, operations, errors } = await ask('/scenarios/words')
    expect(schema.properties).toHaveProperty('steps')
    expect(operations).toContain('results.download')
    expect(errors['b-video-task']).toContain('ServerOverloaded')
  })
})

describe('results', () => {
  test('that are fetched by the id of their task count as fetched, once they are there', async () => {
    const key = 'by-task'
    const headers = { Authorization: `Bearer ${key}` }
    const body = JSON.stringify({ model: video.model, media: video.content })
    const response = await fetch(`${emulator.url}/v1/videos`, { method: 'POST', headers, body })
    const { id } = (await response.json()) as { id: string }
    const content = () => fetch(`${emulator.url}/v1/videos/${id}/content`, { headers })
    expect((await content()).status).toBe(400)
    await emulator.account(key).clock.advance({ to: 'idle' })
    const file = await (await content()).arrayBuffer()
    const [fetched] = (await ask('/results', undefined, key)).items
    expect(fetched).toMatchObject({ task: id, downloads: 1, bytes: file.byteLength })
    const create = response.headers.get('x-request-id') ?? ''
    const { followed } = await emulator.account(key).requests.get(create)
    expect(followed.downloads.map(({ status }) => status)).toEqual([200])
  })

  test('have their facts, how long they last, and how often they were fetched', async () => {
    const account = emulator.account('results')
    const headers = { Authorization: 'Bearer results' }
    const response = await fetch(emulator.url + TASKS, {
      method: 'POST',
      headers,
      body: JSON.stringify(video),
    })
    const { id } = (await response.json()) as { id: string }
    expect((await ask('/results', undefined, 'results')).items).toEqual([])
    await account.clock.advance({ to: 'idle' })
    const [result] = (await ask('/results', undefined, 'results')).items
    expect(result).toMatchObject({
      ...{ task: id, family: 'b-video-task', index: 0, prompt: 'a lighthouse', kind: 'video' },
      ...{
        codecs: 'h264, aac',
        width: 1280,
        height: 720,
        seconds: 4,
        hasExpired: false,
        downloads: 0,
        bytes: null,
      },
    })
    const answer = (await (await fetch(`${emulator.url + TASKS}/${id}`, { headers })).json()) as {
      content: { video_url: string }
    }
    expect(answer.content.video_url).toBe(emulator.url + result.url)
    await fetch(emulator.url + result.url, { method: 'HEAD' })
    const [headed] = (await ask(`/results?task=${id}`, undefined, 'results')).items
    expect(headed).toMatchObject({ downloads: 1, bytes: null })
    const file = await (await fetch(emulator.url + result.url)).arrayBuffer()
    const [fetched] = (await ask(`/results?task=${id}`, undefined, 'results')).items
    expect(fetched).toMatchObject({ downloads: 2, bytes: file.byteLength })
    await account.clock.advance('14d')
    const [late] = (await ask('/results', undefined, 'results')).items
    expect(late).toMatchObject({ hasExpired: true })
    expect(Date.parse(late.expiresAt)).toBeLessThanOrEqual(Date.parse((await account.clock.read()).now))
  })
})

test('the file of a result can be looked at without a download, also after its URL has ended', async () => {
  const account = emulator.account('preview')
  const headers = { Authorization: 'Bearer preview' }
  const body = {
    model: 'alpha-image-2.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'fog' }] }] },
  }
  const path = '/provA/api/v1/services/aigc/multimodal-generation/generation'
  await fetch(emulator.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const [{ task, index, url }] = (await ask('/results', undefined, 'preview')).items
  const calls = (await account.requests.list()).length
  await account.scenario.play('result-missing')
  const look = () => fetch(`${emulator.url}/_backlot/results/${task}/${index}`, { headers })
  const seen = await look()
  expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = await seen.arrayBuffer()
  expect((await account.requests.list()).length).toBe(calls)
  await account.scenario.stop()
  expect(await (await fetch(emulator.url + url)).arrayBuffer()).toEqual(bytes)
  await account.clock.advance('30d')
  expect((await look()).status).toBe(200)
  const none = await fetch(`${emulator.url}/_backlot/results/${task}/7`, { headers })
  expect(await none.json()).toMatchObject({ error: { code: 'no-such-result' } })
})

test('a task that has not succeeded yet has no result to look at', async () => {
  const headers = { Authorization: 'Bearer early' }
  const body = JSON.stringify(video)
  await fetch(emulator.url + TASKS, { method: 'POST', headers, body })
  const [{ id = '' } = {}] = await emulator.account('early').tasks.list()
  const look = await fetch(`${emulator.url}/_backlot/results/${id}/0`, { headers })
  expect([look.status, await look.json()]).toMatchObject([404, { error: { code: 'no-such-result' } }])
})

test('the boxes of the built-in receiver are listed', async () => {
  for (const name of ['one', 'two', 'one'])
    await fetch(`${emulator.url}/_backlot/inbox/${name}`, {
      method: 'POST',
      body: '{}',
      headers: { Authorization: 'Bearer boxes' },
    })
  expect((await ask('/inbox', undefined, 'boxes')).items).toEqual([
    { name: 'one', messages: 2 },
    { name: 'two', messages: 1 },
  ])
})
