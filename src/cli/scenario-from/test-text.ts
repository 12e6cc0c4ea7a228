import type { CallAgain } from '../../core/recording/wrongs/calls-again.js'
import type { ScenarioInput } from '../../core/scenario/scenario.js'

/** A test for vitest that makes the calls which the steps act on, and fails when one of the steps has not acted. */
export const testText = ({ name }: ScenarioInput, file: string, calls: readonly CallAgain[]): string => `\
import { fileURLToPath } from 'node:url'
import { startEmulator } from 'backlot'
import { expect, test } from 'vitest'

const scenario = fileURLToPath(new URL(${quoted(`./${file}`)}, import.meta.url))

test(${quoted(`${name}: all that went wrong goes wrong again`)}, async () => {
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
  const fixtures = \`\${url}/_backlot/fixtures\`
  const filled = (text: string): string =>
    text
      .replaceAll('{hook}', hook)
      .replaceAll('{fixtures}', fixtures)
      .replace(/\\{url (\\d+)\\}/g, (_, n) => /https?:[^"]*\\/results\\/[^"]*/.exec(answers[n - 1] ?? '')?.[0] ?? '')
      .replace(/\\{(\\d+)\\}/g, (_, n) => idIn(answers[n - 1] ?? '{}'))
  for (const { method, path, json, form } of calls) {
    const body =
      json === undefined
        ? form && (await formOf(form, \`\${fixtures}/landscape.jpg\`))
        : filled(JSON.stringify(json))
    const headers = { authorization: \`Bearer \${key}\` }
    // A scenario can take the connection away, or leave a call without an answer.
    answers.push(
      await fetch(new URL(filled(path), url), { method, headers, body, signal: AbortSignal.timeout(2_000) }).then(
        (answer) => answer.text(),
        () => '{}',
      ),
    )
  }
}

const idIn = (answer: string): string => {
  try {
    const { id, task_id, output, data } = JSON.parse(answer)
    return id ?? task_id ?? output?.task_id ?? data?.asset_id ?? data?.task_id ?? 'none'
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
  /** \`{1}\` is the id in the answer to the first call, \`{url 1}\` the result that it names. */
  readonly path: string
  readonly json?: unknown
  readonly form?: Record<string, string>
}

const calls: readonly Call[] = [
${calls.map((call) => `  ${JSON.stringify(call)},`).join('\n')}
]
`

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
