import { computed } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { CallbackRecord } from '../../generated/control-api.js'
import { account, api, callbacks, invoke, router, showNotice, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyValue } from '../parts/copy.js'
import { FilterCheck, filters, hasFilter } from '../parts/filters.js'
import { JsonView } from '../parts/json.js'
import { Detail, ErrorMessage, Facts, Message, Scroll, Section } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { ListView } from '../parts/list-view.js'
import { Sign, StatusMark } from '../parts/status.js'
import { FullTime, Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import type { RowLink } from '../parts/virtual-list.js'
import { countOf } from '../state/format.js'
import { isUndelivered } from '../state/request-rows.js'
import { PlayedScenario } from './request-scenario.js'

const rows = computed(() => (hasFilter('problems') ? callbacks.value.filter(isUndelivered) : callbacks.value))

const RECEIVER_HINT = `Send ${api.origin}/_backlot/inbox/any-name as callback_url: it passes the handshake and keeps what comes.`

/** Challenges and deliveries with the detail of one, and the boxes of the built-in receiver. */
export const CallbacksView = () => {
  const { evictedCallbacks } = account.value
  const areBoxesShown = hasFilter('boxes')
  return (
    <ListView
      label="Callbacks"
      filters={
        <>
          <FilterCheck name="problems" label="problems only" shortcut="p" />
          <FilterCheck name="boxes" label="boxes of the built-in receiver" shortcut="b" />
          <span class="quiet">
            {hasFilter('problems') && `${rows.value.length} of `}
            {countOf(callbacks.value.length, 'callback')}
            {evictedCallbacks > 0 && `, ${countOf(evictedCallbacks, 'older one')} evicted`}
          </span>
        </>
      }
      items={areBoxesShown ? [] : rows.value}
      rowHeight={26}
      row={(callback, link) => <CallbackLine callback={callback} link={link} />}
      empty={
        areBoxesShown ? (
          <Boxes />
        ) : (
          <Message
            text={callbacks.value.length === 0 ? 'No callback yet.' : 'Every callback was delivered.'}
            hint={RECEIVER_HINT}
          />
        )
      }
      detail={(id) => !areBoxesShown && <CallbackDetail key={id} id={id} />}
    />
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
    <span class={`outcome-${outcome}`}>
      <Sign sign={sign} /> {state}
    </span>
  )
}

const CallbackLine = ({ callback, link }: { callback: CallbackRecord; link: RowLink }) => {
  const { id, state, kind, status, url, attempts, taskId } = callback
  const last = attempts.at(-1)
  return (
    <Link to={{ view: 'callbacks', id, query: filters.value }} class="callback-line" {...link}>
      <CallbackMark state={state} />
      <span>{kind === 'challenge' ? 'challenge' : status}</span>
      <code>{taskId}</code>
      <span class="quiet">
        {answerOf(callback)} {url}
      </span>
      <span class="quiet">{attempts.length > 1 && `×${attempts.length}`}</span>
      {last === undefined ? <span /> : <Time at={last.at} />}
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
  // An older one may have been evicted from the list, and the account begun anew.
  const { data, error } = useFetch('callbacks.read', { id }, [inList === undefined])
  // It can leave the list before it has been read.
  const latest = useRef<CallbackRecord | undefined>(undefined)
  latest.current = inList ?? data ?? latest.current
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

/** Boxes of the built-in receiver, and the messages of the one that is open. */
const Boxes = () => {
  const { inboxRevision } = account.value
  const { data, error } = useFetch('inbox.list', {}, [inboxRevision])
  const open = filters.value.box ?? data?.items[0]?.name ?? ''
  if (error !== undefined) return <ErrorMessage error={error} />
  if (data?.items.length === 0)
    return <Message text="No box has messages of this account." hint={RECEIVER_HINT} />
  return (
    <Scroll label="Boxes" class="padded">
      <div class="buttons">
        {data?.items.map(({ name, messages }) => (
          <Button key={name} isPressed={name === open} onClick={() => router.filter({ box: name })}>
            {name} <span class="quiet">{messages}</span>
          </Button>
        ))}
      </div>
      {open !== '' && <Messages key={open} name={open} revision={inboxRevision} />}
    </Scroll>
  )
}

const Messages = ({ name, revision }: { name: string; revision: number }) => {
  const { data, error } = useFetch('inbox.read', { name }, [revision])
  if (error !== undefined) return <ErrorMessage error={error} />
  if (data === undefined) return null
  return (
    <>
      {data.evicted > 0 && <p class="quiet">{data.evicted} older messages were evicted.</p>}
      {data.items.toReversed().map(({ receivedAt, deliveryId, body }, index) => (
        <Section key={index} title={deliveryId ?? 'not from the emulator'} aside={<Time at={receivedAt} />}>
          <JsonView value={body} />
        </Section>
      ))}
    </>
  )
}
