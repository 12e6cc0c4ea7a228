import { filters } from '../parts/filters.js'
import { Link } from '../parts/link.js'
import { AnswerMark } from '../parts/status.js'
import { Time } from '../parts/time.js'
import { isPoll, type RequestRow, sentenceOf } from '../state/request-rows.js'

interface RequestLineProps {
  readonly row: RequestRow
  readonly isSelected: boolean
}

/** One line of the list of requests. The sentence is the news; the path stands in the detail. */
export const RequestLine = ({ row: { request, count }, isSelected }: RequestLineProps) => (
  <Link
    to={{ view: 'requests', id: request.id, query: filters.value }}
    isCurrent={isSelected}
    class={isPoll(request) ? 'request-line poll' : 'request-line'}
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
