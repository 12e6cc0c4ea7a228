import { requestsPerSecond } from './load.js'
import { median } from './measure.js'
import { emulatorWith, startProcess } from './process.js'
import type { Figure } from './report.js'

const ROUNDS = 5

const image = JSON.stringify({
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse in the fog' }] }] },
  parameters: { size: '1024*1024' },
})
const task = JSON.stringify({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'A lighthouse in the fog' }],
})

const unified = JSON.stringify({
  model: 'videoa-2-0-260128',
  media: [{ type: 'text', text: 'A lighthouse in the fog' }],
})

const paths = {
  a: '/provA/api/v1/services/aigc/multimodal-generation/generation',
  b: '/provB/api/v3/contents/generations/tasks',
  c: '/v1/videos',
}

const post = async (url: string, body: string): Promise<string> => {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
  })
  return response.text()
}

/** Creates and queries against a bare Express server that answers the same bytes, turn by turn in one run. */
export const throughput = async (): Promise<Figure[]> => {
  const emulator = await startProcess(emulatorWith())
  const created = await post(emulator.url + paths.b, task)
  // Both answer a query with a task that has ended, which is what is longest.
  await post(`${emulator.url}/_backlot/clock/advance`, '{"to":"idle"}')
  const query = `${paths.b}/${JSON.parse(created).id}`
  const queryOfC = `${paths.c}/${JSON.parse(created).id}`
  const get = async (path: string) =>
    (await fetch(emulator.url + path, { headers: { authorization: 'Bearer bench' } })).text()
  const answers = {
    [paths.a]: await post(emulator.url + paths.a, image),
    [paths.b]: created,
    [paths.c]: await post(emulator.url + paths.c, unified),
    [query]: await get(query),
    [queryOfC]: await get(queryOfC),
  }
  const bare = await startProcess(['bench/bare.mjs', JSON.stringify(answers)])
  const ratio = async (path: string, body?: string) => {
    const load = (url: string) =>
      requestsPerSecond({ url: url + path, ...(body === undefined ? {} : { method: 'POST' as const, body }) })
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      ratios.push((await load(emulator.url)) / (await load(bare.url)))
    return median(ratios)
  }
  // Queries first: creates by the hundred thousand make the emulator let the oldest tasks go.
  const queries = { b: await ratio(query), c: await ratio(queryOfC) }
  const figure = (name: string, value: number): Figure => ({
    name: `${name}, requests a second`,
    value,
    unit: 'x bare',
    aim: { at: 'least', value: 0.8 },
  })
  const figures = [
    figure('A create', await ratio(paths.a, image)),
    figure('B create', await ratio(paths.b, task)),
    figure('B query', queries.b),
    figure('C create', await ratio(paths.c, unified)),
    figure('C query', queries.c),
  ]
  await Promise.all([emulator.stop(), bare.stop()])
  return figures
}
