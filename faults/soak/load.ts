import { type Client, orders, paths, pictureForm } from '../load/client.js'

export interface SoakLog {
  /** How long each answer took. */
  readonly timesMs: number[]
  /** Number of unexpected answers and broken connections, by description. */
  readonly troubles: Map<string, number>
  calls: number
}

/** One round of calls of a client, of every family in the shares that a day of tests has. */
export const takeTurn = async (
  client: Client,
  callbackUrl: string,
  dice: number,
  log: SoakLog,
): Promise<void> => {
  const ask = async (method: string, path: string, expected: readonly number[], asked = {}) => {
    const begun = performance.now()
    const reply = await client.ask(method, path, asked)
    log.calls += 1
    log.timesMs.push(performance.now() - begun)
    if (!expected.includes(reply.status))
      recordTrouble(log, `${method} ${path.split(/[?]|\/[^/]*\d/)[0]}: ${reply.status}`)
    return reply
  }
  const post = (path: string, body: object, expected = [200], headers = {}) =>
    ask('POST', path, expected, { body, headers })

  if (dice < 0.35) {
    const { json } = await post(paths.tasks, orders.task)
    const path = `${paths.tasks}/${String(json?.id)}`
    for (let nth = 0; nth < 3; nth += 1) await ask('GET', path, [200])
    if (dice < 0.1) await ask('DELETE', path, [200, 204, 409])
  } else if (dice < 0.5) {
    const { json } = await post(paths.videos, orders.video)
    await ask('GET', `${paths.videos}/${String(json?.id)}`, [200])
  } else if (dice < 0.6) {
    const { json } = await post(paths.videos, orders.reference)
    await ask('GET', `${paths.videos}/${String(json?.id)}`, [200])
  } else if (dice < 0.75) {
    const { json } = await post(paths.videosV2, orders.videoV2(callbackUrl))
    await ask('GET', `${paths.videosV2Query}/${String(json?.output?.task_id)}`, [200])
  } else if (dice < 0.82) {
    const { json } = await post(paths.images, dice < 0.8 ? orders.image : orders.secondImage)
    const url = new URL(String(json?.output?.choices?.[0]?.message?.content?.[0]?.image))
    await ask('GET', url.pathname + url.search, [200])
  } else if (dice < 0.86) {
    // A library that is full says so.
    const { json } = await post(paths.upload, pictureForm(), [200, 429])
    if (json?.data !== null)
      await ask('GET', `${paths.resolve}?task_id=${String(json?.data?.task_id)}`, [200])
  } else if (dice < 0.9) {
    await post(paths.tasks, orders.task, [200, 429, 500, 502, 503], {
      'X-Backlot-Scenario': 'upstream-flapping',
    })
  } else if (dice < 0.94) {
    await ask('GET', `${paths.tasks}?page_size=20`, [200])
  } else if (dice < 0.97) {
    await post(paths.tasks, { model: 'unknown' }, [400, 404])
  } else if (dice < 0.995) {
    await ask('GET', '/_backlot/requests?limit=20', [200])
  } else {
    await ask('POST', '/_backlot/reset', [200])
  }
}

export const recordTrouble = (log: SoakLog, description: string): void =>
  void log.troubles.set(description, (log.troubles.get(description) ?? 0) + 1)
