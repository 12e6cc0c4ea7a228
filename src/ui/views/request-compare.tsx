import type { ExplainedRequest, RequestRecord } from '../../generated/control-api.js'
import { requests, router } from '../app.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { filters } from '../parts/filters.js'
import { ErrorMessage, Section, TableHead } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { useFetch } from '../parts/use-fetch.js'
import { comparable, counterpart, differences } from '../state/compare.js'
import { answerOf } from '../state/copy-scenario.js'
import { dateAndTime, shortened } from '../state/format.js'
import { isProblem } from '../state/request-rows.js'

/** Button that compares a call with the last one of its operation that went the other way. */
export const CompareButton = ({ request }: { request: RequestRecord }) => {
  const other = counterpart(requests.value, request)
  const isOpen = filters.value.with !== undefined
  return (
    <Button
      isDisabled={!isOpen && other === undefined}
      isPressed={isOpen}
      title={
        other === undefined
          ? 'There is no other call of this operation'
          : 'With the last one that went the other way'
      }
      onClick={() => router.filter({ with: isOpen ? undefined : other?.id })}
    >
      Compare
    </Button>
  )
}

const MAX_CHOICES = 50

/** What differs between a call and another one: what was sent, and what was answered. */
export const Comparison = ({ request }: { request: ExplainedRequest }) => {
  const id = filters.value.with
  return id === undefined ? null : <ComparedWith key={id} id={id} request={request} />
}

const ComparedWith = ({ id, request }: { id: string; request: ExplainedRequest }) => {
  const { data: other, error } = useFetch('requests.read', { id }, [])
  const others = comparable(requests.value, request).slice(0, MAX_CHOICES)
  const known = others.some((call) => call.id === id) ? [] : [[id, id] as const]
  return (
    <Section
      title="Compared with"
      aside={
        <Choice
          label="Compare with"
          value={id}
          options={[...known, ...others.map((call) => [call.id, nameOf(call)] as const)]}
          onChange={(chosen) => router.filter({ with: chosen })}
        />
      }
    >
      <ErrorMessage error={error} />
      {other !== undefined && <Differences before={other} after={request} />}
    </Section>
  )
}

const nameOf = (request: RequestRecord): string =>
  `${dateAndTime(request.at)} · ${outcomeOf(request)} · ${request.id.slice(0, 8)}`

const brokenWords = { reset: 'a reset', 'cut-off': 'a part', 'no-answer': 'nothing' } as const

/** What a call was answered with: a status, or what the client got in place of a whole answer. */
const outcomeOf = (request: RequestRecord): string =>
  request.connection === undefined ? `${answerOf(request).status}` : brokenWords[request.connection]

// They are those of one call, or of one connection.
const OWN = /^(content-length|traceparent|tracestate|x-request-id|date)$/i

const headersOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OWN.test(name))
      .map(([name, value]) => [name.toLowerCase(), value]),
  )

const sentBy = ({ method, path, query, headers, body, text }: ExplainedRequest) => ({
  method,
  path,
  query: Object.fromEntries(new URLSearchParams(query)),
  headers: headersOf(headers),
  body: text ?? body ?? null,
})

const answeredTo = (request: ExplainedRequest) => ({
  status: request.connection ?? answerOf(request).status,
  headers: headersOf(request.answerHeaders),
  body: request.answerText ?? answerOf(request).answer ?? null,
})

const Differences = ({ before, after }: { before: ExplainedRequest; after: ExplainedRequest }) => (
  <>
    <p>
      <Link to={{ view: 'requests', id: before.id, query: { with: after.id } }}>
        {dateAndTime(before.at)}
      </Link>{' '}
      was answered with {outcomeOf(before)}, this one with {outcomeOf(after)}.
    </p>
    <DifferenceTable title="Sent" rows={differences(sentBy(before), sentBy(after))} calls={[before, after]} />
    <DifferenceTable
      title="Answered"
      rows={differences(answeredTo(before), answeredTo(after))}
      calls={[before, after]}
    />
  </>
)

const MAX_ROWS = 100

interface DifferenceProps {
  readonly title: string
  readonly rows: ReturnType<typeof differences>
  readonly calls: readonly [before: ExplainedRequest, after: ExplainedRequest]
}

/** Differences of two calls, with a line beside each value in the colour of what its call was answered with. */
const DifferenceTable = ({ title, rows, calls: [one, other] }: DifferenceProps) => (
  <>
    <h3>{title}</h3>
    {rows.length === 0 ? (
      <p class="quiet">nothing differs</p>
    ) : (
      <table class="differences">
        <TableHead names={['field', 'that one', 'this one']} />
        <tbody>
          {rows.slice(0, MAX_ROWS).map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{shortened(path, MAX_CELL)}</th>
              <Cell text={before} call={one} />
              <Cell text={after} call={other} />
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {rows.length > MAX_ROWS && <p class="quiet">and {rows.length - MAX_ROWS} more</p>}
  </>
)

const MAX_CELL = 400

const Cell = ({ text, call }: { text: string | undefined; call: ExplainedRequest }) => (
  <td class={isProblem(call) ? 'of-refused' : 'of-fine'}>
    {text === undefined ? <span class="quiet">not there</span> : <code>{shortened(text, MAX_CELL)}</code>}
  </td>
)
