import { computed } from '@preact/signals'
import { account, requests, systemNow } from '../app.js'
import { FilterCheck, filters, hasFilter, SearchField, search } from '../parts/filters.js'
import { Message } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { ListView } from '../parts/list-view.js'
import { AnswerMark } from '../parts/status.js'
import { Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import type { RowLink } from '../parts/virtual-list.js'
import { countOf, formatNumber } from '../state/format.js'
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
            {search.value !== '' &&
              `${formatNumber(rows.value.reduce((sum, { count }) => sum + count, 0))} of `}
            {countOf(requests.value.length, 'call')}
            {evictedRequests > 0 && `, ${countOf(evictedRequests, 'older one')} evicted`}
          </span>
        </>
      }
      above={<InFlightCalls />}
      items={rows.value}
      rowHeight={26}
      row={(row, link) => <RequestLine row={row} link={link} />}
      empty={
        account.value.isLoaded && (
          <Message
            text={requests.value.length === 0 ? 'The journal has no call.' : 'No call matches the search.'}
            hint={hasFilter('problems') ? 'Only problems are shown: p shows every call.' : ''}
          />
        )
      }
      detail={(id) => <RequestDetail key={id} id={id} />}
    />
  )
}

/** The calls that have no answer yet, oldest first. They are asked for each second, since no event tells of them. */
const InFlightCalls = () => {
  const { data } = useFetch('requests.list', { limit: 1 }, [systemNow.value])
  if (data === undefined || data.inFlight.length === 0) return null
  return (
    <ul class="in-flight" aria-label="Calls under way">
      {data.inFlight.map(({ method, path, says }, index) => (
        <li key={`${index} ${method} ${path}`}>
          {method} {path} <span class="quiet">{says}</span>
        </li>
      ))}
    </ul>
  )
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
    <Time at={request.at} />
  </Link>
)
