import { computed, signal } from '@preact/signals'
import { account, place, requests } from '../app.js'
import { Message } from '../parts/facts.js'
import { FilterCheck, SearchField, toggleFilter } from '../parts/filters.js'
import { useListShortcuts, useShortcuts } from '../parts/shortcuts.js'
import { VirtualList } from '../parts/virtual-list.js'
import { foldPolls, isProblem, matchesSearch, type RequestRow } from '../state/request-rows.js'
import { RequestDetail } from './request-detail.js'
import { RequestLine } from './request-row.js'

const query = computed(() => place.value.query)
const isProblemsOnly = computed(() => query.value.problems === '1')
const search = computed(() => query.value.search ?? '')

const rows = computed(() =>
  foldPolls(
    requests.value.filter(
      (request) => (!isProblemsOnly.value || isProblem(request)) && matchesSearch(request, search.value),
    ),
  ),
)

/** The row that the keyboard is at, where none is open. */
const cursor = signal('')

const idOf = ({ request }: RequestRow): string => request.id

/** Live list of requests with the detail of one beside it. */
export const RequestsView = () => {
  const open = place.value.id
  const selected = useListShortcuts({ items: rows.value, idOf, cursor })
  useShortcuts([{ keys: 'p', label: 'problems only', run: () => toggleFilter('problems') }])
  const { evictedRequests } = account.value
  return (
    <div class={open === '' ? 'split' : 'split with-detail'}>
      <div class="split-list">
        <div class="filters">
          <SearchField label="Search requests" placeholder="path, id, prompt, body" />
          <FilterCheck name="problems">
            problems only <kbd>p</kbd>
          </FilterCheck>
          <span class="quiet">
            {requests.value.length} calls
            {evictedRequests > 0 && `, ${evictedRequests} older ones evicted`}
          </span>
        </div>
        {rows.value.length === 0 && account.value.isLoaded ? (
          <Message
            text="No call matches."
            hint={
              isProblemsOnly.value ? 'Only problems are shown: p shows every call.' : 'Change the search.'
            }
          />
        ) : (
          <VirtualList
            items={rows.value}
            idOf={idOf}
            rowHeight={26}
            label="Requests"
            selected={selected}
            row={(row) => (
              <RequestLine row={row} isSelected={row.request.id === selected} query={query.value} />
            )}
          />
        )}
      </div>
      {open !== '' && <RequestDetail key={open} id={open} />}
    </div>
  )
}
