import type { ExplainedRequest } from '../../generated/control-api.js'
import { fetchOptions, formOf, isForm, pathAndQuery } from './copy-as.js'
import { answerOf, scenarioOf } from './copy-scenario.js'

/** What the page knows besides the call: the call that made its task, the names of the errors of its family, and sample media. */
interface TestContext {
  readonly creator?: ExplainedRequest | undefined
  readonly errors?: readonly string[]
  readonly samples?: readonly Sample[]
}

interface Sample {
  readonly name: string
  readonly bytes: number
}

/** What comes before the call in its test, and the call itself. */
interface Arranged {
  readonly lines: readonly string[]
  /** Source of the URL; default: that of the call. */
  readonly url?: string
  /** Id of the task of the call, which is another one in the test: `task.id`. */
  readonly taskId?: string
  /** Whether a scenario gives the answer, so that no rule refuses the call. */
  readonly isPlayed?: boolean
}

/**
 * A call as a test of vitest that expects the answer that it had. What the answer depended on is in it: its scenario, the task,
 * the balance, the agreement or the limits. Where the page cannot bring that about, a scenario gives the answer.
 * @throws Error where the journal does not have the answer
 */
export const asTest = (request: ExplainedRequest, context: TestContext = {}): string => {
  const { method, path, operation, refusedBy, connection } = request
  const [refusal] = refusedBy
  const { status } = answerOf(request)
  const { lines, url = urlSource(request), taskId, isPlayed = false } = arrangementOf(request, context)
  const name =
    connection === undefined && refusal !== undefined
      ? `refuses ${refusal.field ?? path}`
      : `answers ${operation ?? `${method} ${path}`} with ${connection ?? status}`
  const options = optionsSource(request)
  const call =
    connection === 'no-answer'
      ? options.replace(/\n}$/, `\n  signal: AbortSignal.timeout(1_000),\n}`)
      : options
  const sent = `fetch(${withTask(url, taskId)}, ${withTask(call, taskId)})`
  const expectations =
    connection === undefined
      ? [
          `const response = await ${sent}`,
          `expect(response.status).toBe(${status})`,
          ...(refusal === undefined || isPlayed ? [] : ruleSource(refusal.rule)),
        ]
      : [`await expect(${sent}).rejects.toThrow()`]
  const isUnexpectedCall = operation === null
  return `import { useEmulator } from 'backlot/vitest'
import { expect, test } from 'vitest'

const emulator = useEmulator(${isUnexpectedCall ? `{ allow: ['unexpected-calls'] }` : ''})

test(${JSON.stringify(name)}, async () => {
${[...lines, ...formSource(request, context.samples), ...expectations].map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}
})
`
}

const ruleSource = (rule: string): string[] => [
  'const [{ refusedBy }] = await emulator.requests.list()',
  `expect(refusedBy[0]?.rule).toBe(${JSON.stringify(rule)})`,
]

const urlSource = (request: ExplainedRequest): string =>
  `\`\${emulator.url}${pathAndQuery(request).replace(/[`\\$]/g, '\\$&')}\``

const optionsSource = (request: ExplainedRequest): string =>
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a test
  fetchOptions(request, '`Bearer ${emulator.key}`')

/** Source that names the task of the test in place of the one of the call, as a text of its own or within a template. */
const withTask = (source: string, id: string | undefined): string =>
  id === undefined
    ? source
    : // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a test
      source.replaceAll(JSON.stringify(id), 'task.id').replaceAll(id, '${task.id}')

/** Places of the rules about what an account has, each with the change that makes them refuse. */
const changes = {
  'docs/gaps.md#x4': '{ balance: 0 }',
  'docs/gaps.md#x5': '{ agreementAccepted: false }',
  'docs/gaps.md#z3': '{ limits: { imageQuota: 0 } }',
}

/** Limits of an account, by the end of the names of their rules. */
const limits = { 'rate-limit': 'requestsPerMinute', 'tasks-in-flight': 'tasksInFlight' }

const find = (table: Readonly<Record<string, string>>, test: (name: string) => boolean) =>
  Object.entries(table).find(([name]) => test(name))?.[1]

/** Other servers, callbacks and assets, on which an answer can depend. */
const OF_OTHERS = /"asset:|"callback|:\/\/(localhost|127\.|\[)/

const arrangementOf = (request: ExplainedRequest, context: TestContext): Arranged => {
  const { creator, errors, samples } = context
  const { headers, task, refusedBy, profile, connection } = request
  const operation = request.operation ?? ''
  const [{ rule = '', place = '' } = {}] = refusedBy
  const played = (comment?: string): Arranged => ({
    lines: [
      ...(comment === undefined ? [] : [`// ${comment}`]),
      `await emulator.scenario.play(${JSON.stringify(scenarioOf(request, errors), null, 2)})`,
    ],
    isPlayed: true,
  })
  if (connection !== undefined || isByScenario(request)) {
    if (operation !== 'results.download' || creator === undefined) return played()
    const download = downloadOf(request, creator)
    return { ...download, lines: [...download.lines, ...played().lines], isPlayed: true }
  }
  if (profile !== null) return played('A profile changed this answer.')
  const change = find(changes, (name) => place.split(', ').includes(name))
  if (change !== undefined) return { lines: [`await emulator.change(${change})`] }
  const limit = find(limits, (name) => rule.endsWith(name))
  if (limit !== undefined) return { lines: [`await emulator.change({ limits: { ${limit}: 0 } })`] }
  // In the test it is a call of no account, whose journal does not have it.
  if (headers.authorization === undefined && refusedBy.length > 0 && request.status === 401)
    return { lines: [], isPlayed: true }
  if (isFileUnknown(request, samples))
    return played('The file that was sent is not known: a scenario gives the answer.')
  if (/\.schema\./.test(rule)) return { lines: [] }
  if (task && operation === 'results.download') return downloadOf(request, creator)
  if (task && creator !== undefined && refusedBy.length === 0 && creator.id !== request.id)
    return { lines: creationOf(creator, /\.content$/.test(operation)), taskId: task }
  return dependsOnMore(request)
    ? played('The answer depended on more than this call: a scenario gives it.')
    : { lines: [] }
}

/** Whether a step of a scenario gave an answer. A file that was sent slower, or was another one, has the same status. */
const isByScenario = ({ scenario, headers, operation, status, sent }: ExplainedRequest): boolean => {
  const isFile = /\.(download|content)$/.test(operation ?? '') && (sent?.status ?? status) < 400
  const effects = scenario?.acted?.effects ?? []
  const isAnswer = effects.some((effect) => /^(answer|transport|result)\./.test(effect))
  return isAnswer && !isFile && !headers['x-backlot-scenario']
}

/** Whether an answer depended on settings, on other servers, or on tasks and assets that are not in the test. */
const dependsOnMore = (request: ExplainedRequest): boolean => {
  const { status, headers, refusedBy, task, operation, body, isWhole } = request
  // The journal has cut what was sent, such as Base64.
  const isCut = !isWhole && !isForm(request) && body != null
  const isRefusedKey = status === 401 && headers.authorization !== undefined
  // Words of moderation are a setting, and bounds are those of the emulator.
  const isOfSetting = refusedBy[0]?.bound !== undefined || /#z31\b/.test(refusedBy[0]?.place ?? '')
  const isOfTask = Boolean(task) && !/\.(create|upload)$/.test(operation ?? '')
  return isCut || isRefusedKey || isOfSetting || isOfTask || OF_OTHERS.test(JSON.stringify(body) ?? '')
}

/** Whether a form had a file that is no sample, whose bytes the journal does not have. */
const isFileUnknown = (request: ExplainedRequest, samples: readonly Sample[] = []): boolean =>
  isForm(request) &&
  request.operation !== null &&
  (request.body == null || (formOf(request).files ?? []).some((file) => !isSample(file, samples)))

const isSample = ({ name, bytes }: Sample, samples: readonly Sample[]): boolean =>
  samples.some((sample) => sample.name === name && sample.bytes === bytes)

/** Source that makes the form of a call: with a sample medium, or in place of another file with a text. */
const formSource = (request: ExplainedRequest, samples: readonly Sample[] = []): string[] => {
  if (!isForm(request)) return []
  const { fields = {}, files = [] } = formOf(request)
  const blobOf = (file: Sample) =>
    isSample(file, samples)
      ? `await (await fetch(\`\${emulator.url}/_backlot/fixtures/${encodeURIComponent(file.name)}\`)).blob()`
      : `new Blob(['the file'])`
  return [
    'const form = new FormData()',
    ...Object.entries(fields).map(
      (field) => `form.set(${field.map((text) => JSON.stringify(text)).join(', ')})`,
    ),
    ...files.map(
      (file) => `form.set(${JSON.stringify(file.field)}, ${blobOf(file)}, ${JSON.stringify(file.name)})`,
    ),
  ]
}

/** Source that creates the task of a call; `isEnded`: and lets it end. */
const creationOf = (creator: ExplainedRequest, isEnded: boolean): string[] => [
  `await fetch(${urlSource(creator)}, ${optionsSource(creator)})`,
  'const [task] = await emulator.tasks.list()',
  ...(isEnded ? [`await emulator.clock.advance({ to: 'idle' })`] : []),
]

const downloadOf = (request: ExplainedRequest, creator: ExplainedRequest | undefined): Arranged => {
  const { refusedBy, path } = request
  const rule = refusedBy[0]?.rule
  // In the test it is the URL of no account, whose journal has no such call.
  if (rule === 'results.signature') return { lines: [], isPlayed: true }
  if (creator === undefined || /\.(task-exists|one-authorization)$/.test(rule ?? ''))
    throw new Error(
      'No test repeats this download: its task is gone, or the call that made it, or a setting decided.',
    )
  return {
    lines: [
      ...creationOf(creator, true),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a test
      'const headers = { authorization: `Bearer ${emulator.key}` }',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a test
      'const results = await fetch(`${emulator.url}/_backlot/results`, { headers })',
      `const result = (await results.json()).items[${/\d+/.exec(path.split('/').at(-1) ?? '')?.[0] ?? 0}]`,
      ...(rule !== 'results.not-expired' ? [] : [`await emulator.clock.advance({ to: result.expiresAt })`]),
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a test
    url: '`${emulator.url}${result.url}`',
  }
}
