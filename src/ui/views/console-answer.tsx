import type { OperationRecord } from '../../generated/control-api.js'
import { router } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyValue } from '../parts/copy.js'
import { JsonView } from '../parts/json.js'
import { Facts, Section } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { Sign } from '../parts/status.js'
import { countOf, localTime } from '../state/format.js'
import type { Answer, HistoryItem } from '../state/sent.js'
import { history, send, setDraft } from './console-send.js'

/** A status with the sign of how it went; without one: there was no answer. */
const Status = ({ status }: { status: number | undefined }) => {
  const isFine = status !== undefined && status < 400
  return (
    <span class={`answer outcome-${isFine ? 'fine' : 'refused'}`}>
      <Sign sign={isFine ? '✓' : '✕'} /> {status ?? 'no answer'}
    </span>
  )
}

/** The answer that a call has got, beside what the dry run had promised. */
export const AnswerResult = ({ answer }: { answer: Answer }) => {
  const { status, promised, ms, bytes, requestId, headers, problem } = answer
  return (
    <Section
      title="The answer that came"
      aside={requestId !== '' && <Link to={{ view: 'requests', id: requestId }}>why, and what followed</Link>}
    >
      <p class="answer-line" role="status">
        {promised !== undefined && <span class="quiet">would be {promised}, </span>}
        was <Status status={status} /> · {ms} ms · {countOf(bytes, 'byte')}
      </p>
      {problem !== '' && <p class="problem">{problem}</p>}
      <details>
        <summary>Headers</summary>
        <Facts entries={headers.map(([name, value]) => [name, <CopyValue value={value} />])} />
      </details>
      <Body body={answer.body} />
    </Section>
  )
}

const MAX_TEXT = 20_000

const Body = ({ body }: Pick<Answer, 'body'>) => {
  if (body.kind === 'json') return <JsonView value={body.value} />
  if (body.kind === 'none') return <p class="quiet">no body</p>
  if (body.kind === 'file') return <Medium {...body} />
  return <pre class="answer-text">{body.text.slice(0, MAX_TEXT)}</pre>
}

const Medium = ({ url, type }: { url: string; type: string }) =>
  type.startsWith('image/') ? (
    <img class="media" src={url} alt="the body of the answer" />
  ) : (
    <video class="media" src={url} controls muted />
  )

/** Calls that were sent from here, each to be sent or edited again. */
export const History = ({ operations }: { operations: readonly OperationRecord[] }) => {
  if (history.value.length === 0) return null
  return (
    <Section title="Sent from here">
      <ul class="sent">
        {history.value.map((item) => (
          <HistoryLine key={`${item.at} ${item.operation}`} item={item} operations={operations} />
        ))}
      </ul>
    </Section>
  )
}

const HistoryLine = ({ item, operations }: { item: HistoryItem; operations: readonly OperationRecord[] }) => {
  const { at, operation: id, status, ms, draft, requestId } = item
  const operation = operations.find((candidate) => candidate.id === id)
  const open = () => {
    setDraft(id, draft)
    router.go({ view: 'console', query: { operation: id } })
  }
  return (
    <li>
      <Status status={status} />
      <span class="sent-what">
        {requestId === '' ? id : <Link to={{ view: 'requests', id: requestId }}>{id}</Link>}{' '}
        <span class="quiet">
          {localTime(at)} · {ms} ms
        </span>
      </span>
      {operation !== undefined && (
        <span class="buttons">
          <Button aria-label={`edit the call of ${localTime(at)}`} onClick={open}>
            edit
          </Button>
          <Button
            aria-label={`send again the call of ${localTime(at)}`}
            onClick={() => {
              open()
              return send(operation, draft)
            }}
          >
            send again
          </Button>
        </span>
      )}
    </li>
  )
}
