import { computed, signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { CallbackRecord } from '../../generated/control-api.js'
import { account, callbacks, invoke, router, sessionState, showNotice, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyValue } from '../parts/copy.js'
import { FilterCheck, filters, hasFilter, SearchField, search } from '../parts/filters.js'
import { JsonView } from '../parts/json.js'
import { Detail, ErrorMessage, Facts, Message, Section } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { ListView } from '../parts/list-view.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { Sign, StatusMark } from '../parts/status.js'
import { FullTime, Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import type { RowLink } from '../parts/virtual-list.js'
import { type CallbackRow, callbackRows } from '../state/callback-rows.js'
import { countOf, formatNumber, shortId } from '../state/format.js'
import { isUndelivered } from '../state/request-rows.js'
import { BoxesView, CallbackTabs, receiverHint } from './boxes.js'
import { PlayedScenario } from './request-scenario.js'

const allRows = computed(() => callbackRows(callbacks.value, tasks.value))
const rows = computed(() => {
  const term = search.value
  return allRows.value.filter(
    ({ callback }) =>
      (!hasFilter('problems') || isUndelivered(callback)) &&
      (term === '' || searchTextOf(callback).includes(term)),
  )
})

const searchTextOf = (callback: CallbackRecord): string => {
  const { id, taskId, kind, status, state, url } = callback
  return [id, taskId, kind, status, state, url, answerOf(callback)].join(' ').toLowerCase()
}

/** Challenges and deliveries with the detail of one, or the boxes of the built-in receiver. */
export const CallbacksView = () => {
  const areBoxesShown = hasFilter('boxes')
  useShortcuts([
    {
      keys: 'b',
      label: 'boxes of the built-in receiver',
      run: () => router.go({ query: areBoxesShown ? {} : { boxes: '1' } }),
    },
  ])
  return areBoxesShown ? <BoxesView /> : <SentCallbacks />
}

const SentCallbacks = () => {
  const { evictedCallbacks } = account.value
  return (
    <ListView
      label="Callbacks"
      filters={
        <>
          <CallbackTabs />
          <SearchField label="Search callbacks" placeholder="task, URL, answer" />
          <FilterCheck name="problems" label="problems only" shortcut="p" />
          <span class="quiet">
            {(search.value !== '' || hasFilter('problems')) && `${formatNumber(rows.value.length)} of `}
            {countOf(callbacks.value.length, 'callback')}
            {evictedCallbacks > 0 && `, ${countOf(evictedCallbacks, 'older one')} evicted`}
          </span>
          <SendUndeliveredAgain />
        </>
      }
      items={rows.value}
      rowHeight={26}
      dayOf={({ at }) => at.slice(0, 10)}
      row={(row, link) => <CallbackLine row={row} link={link} />}
      empty={account.value.isLoaded && <Message text={emptyText()} hint={receiverHint()} />}
      detail={(id) => <CallbackDetail key={id} id={id} />}
    />
  )
}

/** Which of the undelivered callbacks is being sent again, from 1; 0: none. It goes on while another view is open. */
const sending = signal(0)

/** Sends callbacks once more, as long as their account is shown. */
const sendAll = async (undelivered: readonly CallbackRecord[]): Promise<void> => {
  const shownTag = () => sessionState.value.account?.tag
  const tag = shownTag()
  let [sent, delivered] = [0, 0]
  try {
    for (const { id } of undelivered) {
      if (shownTag() !== tag) break
      sending.value = sent + 1
      const { state } = await invoke('callbacks.redeliver', { id })
      sent += 1
      if (state === 'delivered') delivered += 1
    }
  } finally {
    sending.value = 0
  }
  showNotice(`Sent ${countOf(sent, 'callback')} again: ${delivered} delivered.`)
}

const emptyText = (): string => {
  if (callbacks.value.length === 0) return 'No callback yet.'
  return search.value === '' ? 'Every callback was delivered.' : 'No callback matches the search.'
}

/** Button that sends every callback once more that did not arrive, the oldest first. */
const SendUndeliveredAgain = () => {
  const undelivered = allRows.value
    .map(({ callback }) => callback)
    .filter(({ state }) => ['failed', 'skipped'].includes(state))
    .reverse()
  const isSending = sending.value > 0
  if (undelivered.length === 0 && !isSending) return null
  return (
    <Button isDisabled={isSending} onClick={() => sendAll(undelivered)}>
      {isSending ? `Sending ${sending.value}…` : `Send all ${undelivered.length} undelivered again`}
    </Button>
  )
}

const signs = {
  waiting: ['◷', 'effect'],
  delivered: ['✓', 'fine'],
  failed: ['✕', 'refused'],
  skipped: ['⊘', 'refused'],
} as const

/** The state of a callback: its sign and its word. */
const CallbackMark = ({ state }: Pick<CallbackRecord, 'state'>) => {
  const [sign, outcome] = signs[state]
  return (
    <span class={`status outcome-${outcome}`}>
      <Sign sign={sign} /> {state}
    </span>
  )
}

const CallbackLine = ({ row: { callback, at }, link }: { row: CallbackRow; link: RowLink }) => {
  const { id, state, kind, status, url, attempts, taskId } = callback
  return (
    <Link to={{ view: 'callbacks', id, query: filters.value }} class="callback-line" {...link}>
      <CallbackMark state={state} />
      <span>{kind === 'challenge' ? 'challenge' : status}</span>
      <code title={taskId}>{shortId(taskId)}</code>
      <span class="quiet">
        {answerOf(callback)} {url}
      </span>
      <span class="quiet">{attempts.length > 1 && `×${attempts.length}`}</span>
      {at === '' ? <span /> : <Time at={at} isBelowDay />}
    </Link>
  )
}

const answerOf = ({ attempts, reason }: CallbackRecord): string => {
  const last = attempts.at(-1)
  if (last === undefined) return reason ?? 'not sent'
  return last.status === undefined ? (last.error ?? last.outcome) : `${last.status}`
}

const CallbackDetail = ({ id }: { id: string }) => {
  const inList = callbacks.value.find((callback) => callback.id === id)
  // The list has no bodies. An older one may have been evicted from it, and the account begun anew.
  const { data, error } = useFetch('callbacks.read', { id }, [inList])
  // It can leave the list before it has been read.
  const latest = useRef<CallbackRecord | undefined>(undefined)
  latest.current = data ?? inList ?? latest.current
  const callback = latest.current
  return (
    <Detail label="Callback">
      {inList === undefined && <ErrorMessage error={error} />}
      {callback !== undefined && <Callback callback={callback} />}
    </Detail>
  )
}

const Callback = ({ callback }: { callback: CallbackRecord }) => {
  const { id, kind, status, state, url, taskId, reason, body, attempts, scenario } = callback
  const task = tasks.value.find((candidate) => candidate.id === taskId)
  const challenge = account.value.callbacksOf(taskId).find((other) => other.kind === 'challenge')
  return (
    <>
      <h2 class="detail-title">
        <CallbackMark state={state} /> {kind === 'challenge' ? 'challenge' : `report of ${status}`}
      </h2>
      {reason !== undefined && <p class="why">{reason}</p>}
      <Facts
        entries={[
          ['to', <CopyValue value={url} />],
          ['task', <Link to={{ view: 'timeline', id: taskId }}>{taskId}</Link>],
          ['task now', task && <StatusMark status={task.status} />],
          ['handshake', challenge ? <CallbackMark {...challenge} /> : 'none is asked for'],
          ['id', <CopyValue value={id} />],
        ]}
      />
      <p>
        <Button
          onClick={async () => {
            const sent = await invoke('callbacks.redeliver', { id })
            showNotice(`Sent again: ${sent.state}, ${answerOf(sent).replace(/\.$/, '')}.`)
          }}
        >
          Send it again now
        </Button>
      </p>
      <Section title={attempts.length === 1 ? 'One attempt' : `${attempts.length} attempts`}>
        {attempts.map((attempt, index) => (
          <Attempt key={index} attempt={attempt} />
        ))}
        {attempts.length === 0 && <p class="quiet">Nothing was sent.</p>}
      </Section>
      <PlayedScenario scenario={scenario} />
      <Section title="Body">
        {body == null ? <p class="quiet">not sent</p> : <JsonView value={body} />}
      </Section>
    </>
  )
}

const Attempt = ({ attempt }: { attempt: CallbackRecord['attempts'][number] }) => {
  const { at, outcome, status = 0, durationMs, error, answer = '' } = attempt
  const isAnswered = outcome === 'answered'
  return (
    <div class="attempt">
      <FullTime at={at} />
      <p>
        <span class={isAnswered && status < 300 ? 'outcome-fine' : 'outcome-refused'}>
          {isAnswered ? status : outcome}
        </span>{' '}
        <span class="quiet">after {durationMs} ms</span> {error}
      </p>
      {answer !== '' && <CopyValue value={answer} />}
    </div>
  )
}
