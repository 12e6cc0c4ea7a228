import { computed } from '@preact/signals'
import { account, requests, systemNow, tasks } from '../app.js'
import { FilterCheck, filters, hasFilter, SearchField, search } from '../parts/filters.js'
import { Message } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { ListView } from '../parts/list-view.js'
import { AnswerMark } from '../parts/status.js'
import { Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import type { RowLink } from '../parts/virtual-list.js'
import type { ActionOutput } from '../state/api.js'
import { countOf, dateAndTime, formatNumber } from '../state/format.js'
import {
  foldPolls,
  isPoll,
  isProblem,
  matchesSearch,
  type RequestRow,
  sentenceOf,
} from '../state/request-rows.js'
import { RequestDetail } from './request-detail.js'

const rows = computed(() => {
  const shown = hasFilter('problems') ? requests.value.filter(isProblem) : requests.value
  const term = search.value
  return foldPolls(shown.filter((request) => matchesSearch(request, term)))
})

/** Live list of requests with the detail of one beside it. */
export const RequestsView = () => {
  const { evictedRequests } = account.value
  return (
    <ListView
      label="Requests"
      filters={
        <>
          <SearchField label="Search requests" placeholder="path, id, prompt, body" />
          <FilterCheck name="problems" label="problems only" shortcut="p" />
          <span class="quiet">
            {(search.value !== '' || hasFilter('problems')) &&
              `${formatNumber(rows.value.reduce((sum, { count }) => sum + count, 0))} of `}
            {countOf(requests.value.length, 'call')}
            {evictedRequests > 0 && `, ${countOf(evictedRequests, 'older one')} evicted`}
          </span>
        </>
      }
      above={<JournalState />}
      items={rows.value}
      rowHeight={26}
      dayOf={({ request }) => request.at.slice(0, 10)}
      row={(row, link) => <RequestLine row={row} link={link} />}
      empty={
        account.value.isLoaded && (
          <Message
            text={requests.value.length === 0 ? 'The journal has no call.' : 'No call matches the search.'}
            hint={emptyHint()}
          />
        )
      }
      detail={(id) => <RequestDetail key={id} id={id} />}
    />
  )
}

/**
 * The calls that have no answer yet, oldest first, and where the journal begins. They are asked for each second, since no
 * event tells of them.
 */
const JournalState = () => {
  const { data } = useFetch('requests.list', { limit: 1 }, [systemNow.value])
  if (data === undefined) return null
  return (
    <>
      {data.restoredAt !== null && (
        <p class="quiet journal-begin">
          The account was put back at {dateAndTime(data.restoredAt)}, by a snapshot, an import or a state
          file: the journal begins there, and has no calls from before.
        </p>
      )}
      {data.inFlight.length > 0 && <InFlightCalls calls={data.inFlight} />}
    </>
  )
}

const InFlightCalls = ({ calls }: { calls: ActionOutput<'requests.list'>['inFlight'] }) => (
  <ul class="in-flight" aria-label="Calls under way">
    {calls.map(({ method, path, says }, index) => (
      <li key={`${index} ${method} ${path}`}>
        {method} {path} <span class="quiet">{says}</span>
      </li>
    ))}
  </ul>
)

/** What the reader of an empty list may do. */
const emptyHint = (): string => {
  const found = tasks.value.filter(({ id, order }) =>
    `${id} ${JSON.stringify(order)}`.toLowerCase().includes(search.value),
  ).length
  if (hasFilter('problems')) return 'Only problems are shown: p shows every call.'
  return search.value === '' || found === 0
    ? ''
    : `${countOf(found, 'task')} of the timeline ${found === 1 ? 'matches' : 'match'}: the call may be evicted.`
}

/** One line of the list of requests. The sentence is the news; the path stands in the detail. */
const RequestLine = ({ row: { request, count }, link }: { row: RequestRow; link: RowLink }) => (
  <Link
    to={{ view: 'requests', id: request.id, query: filters.value }}
    class={isPoll(request) ? 'request-line poll' : 'request-line'}
    {...link}
  >
    <AnswerMark request={request} />
    <span class="method">{request.method}</span>
    <span class="operation" title={`${request.method} ${request.path}`}>
      {request.operation ?? request.path}
    </span>
    <span class="sentence">{sentenceOf(request)}</span>
    <span class="folded">{count > 1 && `×${count}`}</span>
    <Time at={request.at} isBelowDay />
  </Link>
)
