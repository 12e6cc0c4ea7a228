import { fileURLToPath } from 'node:url'
import { type ScenarioFile, startEmulator } from 'backlot'
import { expect, test } from 'vitest'

const scenario = fileURLToPath(new URL('./SCENARIO_FILE', import.meta.url)) as ScenarioFile

test('SCENARIO_NAME: all that went wrong goes wrong again', async () => {
  const emulator = await startEmulator({ scenario })
  const account = emulator.account('any-key')
  try {
    await client({ url: emulator.url, key: account.key, hook: account.inbox('hook').url })
    await account.clock.advance({ to: 'idle' })
    expect(await account.scenario.unused()).toEqual([])
  } finally {
    await emulator.stop()
  }
})

interface Service {
  readonly url: string
  readonly key: string
  /** A receiver of callbacks. */
  readonly hook: string
}

/** Makes the calls that were made when it went wrong. Your own client belongs in its place. */
const client = async ({ url, key, hook }: Service): Promise<void> => {
  const answers: string[] = []
  const headers = { authorization: `Bearer ${key}` }
  const fixtures = `${url}/_backlot/fixtures`
  const filled = (text: string): string =>
    text
      .replaceAll('{hook}', hook)
      .replaceAll('{fixtures}', fixtures)
      .replace(/\{(\d+)\}/g, (_, n) => idIn(answers[n - 1] ?? '{}'))
  const resultOf = async (answer = ''): Promise<string> => {
    const [named] = /https?:[^"]*\/results\/[^"]*/.exec(answer) ?? []
    if (named !== undefined) return named
    // The client asked once the task had ended, or learnt the URL from a callback.
    await fetch(`${url}/_backlot/clock/advance`, { method: 'POST', headers, body: '{"to":"idle"}' })
    const results = await fetch(`${url}/_backlot/results?task=${idIn(answer)}`, { headers })
    return ((await results.json()) as { items: { url: string }[] }).items[0]?.url ?? ''
  }
  for (const { method, path, json, form } of calls) {
    const [, n] = /^\{url (\d+)\}$/.exec(path) ?? []
    const target = n === undefined ? filled(path) : await resultOf(answers[Number(n) - 1])
    const body =
      json === undefined
        ? form && (await formOf(form, `${fixtures}/landscape.jpg`))
        : filled(JSON.stringify(json))
    const sent = { method, headers, ...(body === undefined ? {} : { body }) }
    // A scenario can end the connection, before the answer or in the middle of it, or leave a call without an answer.
    const answer = await fetch(new URL(target, url), { ...sent, signal: AbortSignal.timeout(2_000) })
      .then((answer) => answer.text())
      .catch(() => '{}')
    // The task that a call made although its answer was lost is the newest.
    const isLost = method === 'POST' && idIn(answer) === 'none' && !answer.includes('/results/')
    answers.push(isLost ? await (await fetch(`${url}/_backlot/tasks?limit=1`, { headers })).text() : answer)
  }
}

const idIn = (answer: string): string => {
  try {
    const { id, task_id, output, data, items } = JSON.parse(answer)
    return id ?? task_id ?? output?.task_id ?? data?.asset_id ?? data?.task_id ?? items?.[0]?.id ?? 'none'
  } catch {
    return 'none'
  }
}

const formOf = async (fields: Record<string, string>, file: string): Promise<FormData> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', await (await fetch(file)).blob(), 'landscape.jpg')
  return form
}

interface Call {
  readonly method: string
  /** `{1}` is the id in the answer to the first call, `{url 1}` the result that it names. */
  readonly path: string
  readonly json?: unknown
  readonly form?: Record<string, string>
}

const calls: readonly Call[] = []
