import type { ExplainedRequest, RequestRecord } from '../../generated/control-api.js'

/** What `POST /_backlot/scenarios` plays: a scenario of one step. */
interface CopiedScenario {
  readonly name: string
  readonly description: string
  readonly steps: readonly object[]
}

/** A call with the text of its answer, where that is no JSON, and the headers of the answer. */
type AnsweredRequest = RequestRecord & Partial<Pick<ExplainedRequest, 'answerText' | 'answerHeaders'>>

/**
 * A scenario that answers the next call of the operation of a call in the same way, headers apart.
 * @param errors names of the errors of its family; one that a step raised is named, with its own words and status
 * @throws Error where the journal does not have the answer
 */
export const scenarioOf = (request: AnsweredRequest, errors: readonly string[] = []): CopiedScenario => {
  const { operation, connection } = request
  const name = operation ?? 'any-call'
  const { status } = answerOf(request)
  return {
    name: `${name.replace(/[^a-z0-9]+/g, '-')}-${connection ?? status}`,
    description: `The next call of ${name} ${connection === undefined ? `is answered with ${status}` : 'gets no answer'}.`,
    steps: [
      {
        ...(operation === null ? {} : { when: { operation } }),
        times: 1,
        // biome-ignore lint/suspicious/noThenProperty: the word of scenario files
        then: effectsOf(request, errors),
      },
    ],
  }
}

/** A call as a scenario file in YAML. @throws Error as `scenarioOf` */
export const asScenario = (request: AnsweredRequest, errors: readonly string[] = []): string =>
  yamlOf(scenarioOf(request, errors)).join('\n').concat('\n')

/** The answer that the client got: a profile or a scenario may have changed the one that was decided. */
export const answerOf = ({ profile, sent, status, answer }: RequestRecord) =>
  profile ?? sent ?? { status, answer }

const effectsOf = (request: AnsweredRequest, errors: readonly string[]) => {
  const { operation, connection, scenario, profile, id, answerText, answerHeaders = {} } = request
  const { status, answer: body } = answerOf(request)
  const answer = body ?? answerText
  // A result file, which the journal does not have.
  const isFile = answer === undefined && status < 400 && /\.(download|content)$/.test(operation ?? '')
  if (connection === 'reset') return { transport: { reset: true } }
  if (connection === 'no-answer') return { transport: { hang: true } }
  if (connection === 'cut-off' || isFile)
    throw new Error('No scenario repeats this answer: the journal does not know which bytes were sent.')
  const isOneError = scenario?.acted?.effects.join() === 'answer.error' && profile === null
  const error = isOneError ? errors.find((name) => textsIn(answer).includes(name)) : undefined
  if (error !== undefined) return { answer: { error } }
  const contentType = Object.entries(answerHeaders).find(([name]) => /^content-type$/i.test(name))?.[1]
  if (typeof answer === 'string')
    return { answer: { status, ...(contentType && { contentType }), text: withoutId(answer, id) } }
  return { answer: { status, body: withoutId(answer, id) } }
}

const textsIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value]

/** An answer without the id of its request, which another call does not have. */
const withoutId = (value: unknown, id: string): unknown => {
  if (typeof value === 'string')
    return value
      .replaceAll(`<RequestId>${id}</RequestId>`, '')
      .replaceAll(new RegExp(`\\W*request[ _-]?id\\W*${id}|${id}`, 'gi'), '')
  if (Array.isArray(value)) return value.map((item) => withoutId(item, id))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, item]) => item !== id)
  return Object.fromEntries(fields.map(([name, item]) => [name, withoutId(item, id)]))
}

/** Lines of a value as YAML, whose texts are those of JSON unless they are plain words. */
const yamlOf = (value: object): string[] =>
  Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .flatMap(([name, item]) => {
      const key = Array.isArray(value) ? '-' : `${yamlText(name)}:`
      if (typeof item !== 'object' || item === null || Object.keys(item).length === 0)
        return [`${key} ${typeof item === 'string' ? yamlText(item) : JSON.stringify(item)}`]
      const lines = yamlOf(item)
      if (key === '-') return lines.map((line, index) => `${index === 0 ? '-' : ' '} ${line}`)
      return [key, ...lines.map((line) => `  ${line}`)]
    })

const yamlText = (text: string): string =>
  /^[a-z][\w.-]*$/i.test(text) && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text)
