import { computed, signal } from '@preact/signals'
import { account, requests, route } from '../app.js'
import { FilterCheck, hasFilter, SearchField, search, toggleFilter } from '../parts/filters.js'
import { ListLayout, Message } from '../parts/layout.js'
import { useListShortcuts, useShortcuts } from '../parts/shortcuts.js'
import { VirtualList } from '../parts/virtual-list.js'
import { foldPolls, isProblem, matchesSearch, type RequestRow } from '../state/request-rows.js'
import { RequestDetail } from './request-detail.js'
import { RequestLine } from './request-row.js'

const rows = computed(() => {
  const shown = hasFilter('problems') ? requests.value.filter(isProblem) : requests.value
  const term = search.value
  return foldPolls(shown.filter((request) => matchesSearch(request, term)))
})

const cursor = signal('')

const idOf = ({ request }: RequestRow): string => request.id

/** Live list of requests with the detail of one beside it. */
export const RequestsView = () => {
  const open = route.value.id
  const selected = useListShortcuts({ items: rows.value, idOf, cursor })
  useShortcuts([{ keys: 'p', label: 'problems only', run: () => toggleFilter('problems') }])
  const { evictedRequests } = account.value
  return (
    <ListLayout
      filters={
        <>
          <SearchField label="Search requests" placeholder="path, id, prompt, body" />
          <FilterCheck name="problems">
            problems only <kbd>p</kbd>
          </FilterCheck>
          <span class="quiet">
            {requests.value.length} calls
            {evictedRequests > 0 && `, ${evictedRequests} older ones evicted`}
          </span>
        </>
      }
      detail={open !== '' && <RequestDetail key={open} id={open} />}
    >
      {rows.value.length === 0 && account.value.isLoaded ? (
        <Message
          text="No call matches."
          hint={hasFilter('problems') ? 'Only problems are shown: p shows every call.' : 'Change the search.'}
        />
      ) : (
        <VirtualList
          items={rows.value}
          idOf={idOf}
          rowHeight={26}
          label="Requests"
          selected={selected}
          row={(row) => <RequestLine row={row} isSelected={idOf(row) === selected} />}
        />
      )}
    </ListLayout>
  )
}
