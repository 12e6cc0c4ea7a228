import type { CallbackRecord, ExplainedRequest, RefusalRecord } from '../../generated/control-api.js'
import { account, api, invoke, requests, router, sessionState, showNotice, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyMenu, CopyValue } from '../parts/copy.js'
import { JsonView } from '../parts/json.js'
import { Detail, ErrorMessage, Facts, Section } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { PlaceLinks } from '../parts/place-link.js'
import { TaskResults } from '../parts/poster.js'
import { AnswerMark, StatusMark } from '../parts/status.js'
import { FullTime, Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import { asCurl, asFetch, asRecording, hintOf, isForm, pathAndQuery } from '../state/copy-as.js'
import { answerOf, asScenario } from '../state/copy-scenario.js'
import { asTest } from '../state/copy-test.js'
import { countOf } from '../state/format.js'
import { type ActedStep, effectOn, refusalText, sentenceOf } from '../state/request-rows.js'
import { CompareButton, Comparison } from './request-compare.js'
import { PlayedScenario } from './request-scenario.js'

/** One request: why it was answered so, what followed, and what was sent and answered. */
export const RequestDetail = ({ id }: { id: string }) => {
  // Later calls may be what followed from this one.
  const { data: request, error } = useFetch('requests.read', { id }, [requests.value[0]?.id])
  return (
    <Detail label="Request">
      {(request === undefined || error?.status === 404) && <ErrorMessage error={error} />}
      {request !== undefined && <Explained request={request} />}
    </Detail>
  )
}

const Explained = ({ request }: { request: ExplainedRequest }) => {
  const [refusal, ...others] = request.refusedBy
  const body = request.text ?? request.body
  return (
    <>
      <h2 class="detail-title">
        <AnswerMark request={request} /> {request.operation ?? 'no operation'}
      </h2>
      {refusal === undefined ? <Sentences request={request} /> : <Refusal refusal={refusal} />}
      {others.map((other) => (
        <Refusal key={other.rule} refusal={other} isAlso />
      ))}
      {refusal !== undefined &&
        request.reasons
          .filter(({ about }) => about === 'verified')
          .map(({ says }) => <p key={says}>{says}</p>)}
      <Followed request={request} />
      <PlayedScenario scenario={request.scenario} tried={request.tried} isActedSaid={refusal === undefined} />
      <CopyMenu formats={copyFormats(request)} />
      <div class="buttons">
        {request.operation !== null && <Button onClick={() => sendOnceMore(request)}>Send again</Button>}
        <CompareButton request={request} />
        <Link to={{ view: 'console', id: request.id }} class="button">
          {request.meant === null ? 'Open in the console' : `Open as ${request.meant} in the console`}
        </Link>
      </div>
      <Comparison request={request} />
      <Section title="Request">
        <Facts
          entries={[
            ['path', <CopyValue value={pathAndQuery(request)} />],
            ['id', <CopyValue value={request.id} />],
            ['at', <FullTime at={request.at} requestId={request.id} />],
            ['size', countOf(request.bytes, 'byte')],
            // Of a call that was not refused, sentences say them.
            ['ignored', refusal && request.ignored.join(', ')],
            ['warnings', refusal && request.warnings.join('; ')],
          ]}
        />
        <details>
          <summary>Headers</summary>
          <Facts
            entries={Object.entries(request.headers).map(([key, text]) => [key, <CopyValue value={text} />])}
          />
        </details>
        {body != null && <JsonView value={body} marked={request.refusedBy.map(({ field }) => field)} />}
      </Section>
      <AnswerSection request={request} />
    </>
  )
}

/** What came of a call that no rule refused. */
const Sentences = ({ request }: { request: ExplainedRequest }) => {
  const { operation, connection, reasons, scenario } = request
  const why = operation === null && scenario?.acted == null ? routeSentence(request) : sentenceOf(request)
  // The title has the operation and the status. The steps that did not act have a section of their own.
  const isSaid = operation !== null && connection === undefined
  return (
    <>
      {scenario?.acted == null ? (
        <p class="why">{why}</p>
      ) : (
        <ActedSentence request={request} acted={scenario.acted} />
      )}
      {reasons
        .filter(({ about }) => about !== 'scenario' && about !== 'nearMiss' && !(about === 'call' && isSaid))
        .map(({ says }) => (says.startsWith(why) ? says.slice(why.length).trim() : says))
        .map((says) => says !== '' && <p key={says}>{says}</p>)}
    </>
  )
}

/** The first sentence of the explanation of a call without an operation. */
const routeSentence = ({ method, path }: ExplainedRequest): string =>
  `No operation has the route ${method} ${path}.`

/** What a step of a scenario did, the step, and its effects by their names. */
const ActedSentence = ({ request, acted }: { request: ExplainedRequest; acted: ActedStep }) => {
  const said = effectOn(request, acted)
  const effects = acted.effects.join(', ')
  return (
    <>
      <p class="why">
        {said}, by <Link to={{ view: 'scenarios', id: acted.scenario }}>{acted.scenario}</Link>, step{' '}
        {acted.step}
      </p>
      {said !== effects && (
        <p class="quiet">
          <code>{effects}</code>
        </p>
      )}
    </>
  )
}

/** Sends the call once more and opens the new one; says what of it the journal did not have. */
const sendOnceMore = async (request: ExplainedRequest): Promise<void> => {
  const place = router.get()
  const { sendAgain } = await import('./console-send.js')
  const id = await sendAgain(request)
  // Meanwhile the page may have gone on, where the id of a request would mean something else.
  const isOpen = place.view === router.get().view && place.id === router.get().id
  if (id !== '' && isOpen) router.open(id)
  showNotice(
    id === '' ? 'Sent again: there was no answer.' : `Sent again: ${isOpen ? 'this' : id} is the new call.`,
    hintOf(request),
  )
}

/** The answer that went out; where a profile changed it, the one that was decided below it. */
const AnswerSection = ({ request }: { request: ExplainedRequest }) => {
  const { profile, answerHeaders, answerText } = request
  const { answer } = answerOf(request)
  return (
    <Section title="Answer" aside={<AnswerMark request={request} />}>
      {Object.keys(answerHeaders).length > 0 && (
        <details>
          <summary>Headers</summary>
          <Facts
            entries={Object.entries(answerHeaders).map(([name, text]) => [name, <CopyValue value={text} />])}
          />
        </details>
      )}
      {answer != null && <JsonView value={answer} />}
      {answer == null && answerText !== undefined && <pre class="answer-text">{answerText}</pre>}
      {answer == null && answerText === undefined && <p class="quiet">{unkeptBody(request)}</p>}
      {profile !== null && (
        <details>
          <summary>
            As it was decided, with {request.status}, before the profile changed it: {profile.by.join(', ')}
          </summary>
          <JsonView value={request.answer} />
        </details>
      )}
    </Section>
  )
}

/** What stands in place of a body that the journal does not have. */
const unkeptBody = ({ operation, status, method }: ExplainedRequest): string => {
  const isFile = method !== 'HEAD' && /\.(download|content)$/.test(operation ?? '')
  return isFile && status < 300 && status !== 204 ? 'the file, which the journal does not keep' : 'no body'
}

/** The sentence that explains a refusal, and the rule behind it. */
const Refusal = ({ refusal, isAlso = false }: { refusal: RefusalRecord; isAlso?: boolean }) => {
  const { rule, place, error, field, found, allowed, bound, retryAfterSeconds } = refusal
  return (
    <>
      <p class="why">
        {isAlso && <span class="quiet">It was also refused: </span>}
        {refusalText(refusal)}
      </p>
      <Facts
        entries={[
          ['field', field && <CopyValue value={field} />],
          ['found', found !== undefined && <code>{JSON.stringify(found)?.slice(0, 300)}</code>],
          ['allowed', allowed],
          [
            'rule',
            <Link to={{ view: 'requests', query: { search: rule } }} title="The calls that it refused">
              {rule}
            </Link>,
          ],
          ['place', <PlaceLinks place={place} field={field} />],
          ['error', <CopyValue value={error}>{dotted(error)}</CopyValue>],
          ['retry after', retryAfterSeconds !== undefined && `${retryAfterSeconds} s`],
          ['limit', bound !== undefined && `${bound} (of the emulator, not of the service)`],
        ]}
      />
    </>
  )
}

/** A name that breaks behind its dots where it has no room. */
const dotted = (name: string) => name.split(/(?<=\.)/).flatMap((part, index) => [part, <wbr key={index} />])

const Followed = ({ request: { followed, id } }: { request: ExplainedRequest }) => {
  const { task, downloads } = followed
  if (task === null) return null
  // The clock may have moved on since the request was read.
  const latest = tasks.value.find((candidate) => candidate.id === task.id)
  const callbacks = account.value.callbacksOf(task.id)
  return (
    <Section title={task.requestId === id ? 'What followed' : 'The task'}>
      <TaskResults task={task} />
      <Facts
        entries={[
          [
            'task',
            <>
              <Link to={{ view: 'timeline', id: task.id }}>{task.id}</Link>{' '}
              <StatusMark status={latest?.status ?? task.status} />
            </>,
          ],
          ['callbacks', callbacks.length > 0 && callbacks.map(callbackLink)],
          [
            'downloads',
            downloads.length > 0 &&
              downloads.map(({ id: download, at, status }) => (
                <span key={download} class="also">
                  <Link to={{ view: 'requests', id: download }}>{status}</Link> <Time at={at} />
                </span>
              )),
          ],
        ]}
      />
    </Section>
  )
}

const callbackLink = ({ id, kind, status, state }: CallbackRecord) => (
  <span key={id} class="also">
    <Link to={{ view: 'callbacks', id }}>
      {status ?? kind}: {state}
    </Link>
  </span>
)

const copyFormats = (request: ExplainedRequest) => {
  const source = { origin: api.origin, key: sessionState.value.account?.key ?? '' }
  const hint = hintOf(request)
  return [
    { label: 'curl', textOf: () => asCurl(request, source), hint },
    { label: 'fetch', textOf: () => asFetch(request, source), hint },
    {
      label: 'vitest test',
      textOf: async () =>
        asTest(request, {
          creator: await creatorOf(request),
          errors: await errorsOf(request),
          samples: await samplesOf(request),
        }),
      hint: isForm(request) ? '' : hint,
    },
    {
      label: 'scenario',
      textOf: async () => asScenario(request, await errorsOf(request)),
      hint: 'It has no headers of the answer.',
    },
    {
      label: 'recording',
      textOf: async () => asRecording(await invoke('recording.read', { format: 'replay' }), request.id),
    },
  ]
}

/** Names of the errors of the family of a call. */
const errorsOf = async ({ operation }: ExplainedRequest): Promise<readonly string[]> =>
  (await invoke('scenarios.words', {})).errors[operation?.split('.')[0] ?? ''] ?? []

/** Sample media, which the form of a call may have as its file. */
const samplesOf = async (request: ExplainedRequest) =>
  isForm(request)
    ? (await invoke('fixtures.list', {})).items.map(({ name, facts }) => ({
        name,
        bytes: Number(facts.bytes),
      }))
    : []

/** The call that made the task of a call, or undefined where the journal does not have it. */
const creatorOf = async ({ followed: { task } }: ExplainedRequest): Promise<ExplainedRequest | undefined> => {
  if (task === null || task.requestId === null) return undefined
  return invoke('requests.read', { id: task.requestId }).catch(() => undefined)
}
