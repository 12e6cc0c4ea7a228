import { computed } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { ResultRecord } from '../../generated/control-api.js'
import { account, accountNow, clock, requests, tasks } from '../app.js'
import { Family } from '../parts/family.js'
import { FilterChoice, filters, SearchField, search } from '../parts/filters.js'
import { Detail, ErrorMessage, Message } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { ListView } from '../parts/list-view.js'
import { Poster, refOfResult } from '../parts/poster.js'
import { useFetch } from '../parts/use-fetch.js'
import type { RowLink } from '../parts/virtual-list.js'
import type { ActionInput } from '../state/api.js'
import { countOf, formatDuration, formatNumber } from '../state/format.js'
import { ResultDetail, useMedia } from './result-detail.js'

/** Results that are read at first. Twice as many are, each time that the end of the list comes near. */
const FIRST_RESULTS = 250

const KINDS = ['picture', 'video', 'last-frame']
const STATES = ['lasting', 'ended']

/**
 * Changes when a result may have come, gone or been downloaded. An account that began anew may have as many as before, under the
 * same ids: the revision of its boxes changes with each new reading of the account.
 */
const revision = computed(() => {
  const succeeded = tasks.value.filter(({ status }) => status === 'succeeded').length
  const downloads = requests.value.filter(({ operation }) => /\.(download|content)$/.test(operation ?? ''))
  return `${account.value.inboxRevision} ${tasks.value.length} ${succeeded} ${downloads.length} ${downloads[0]?.id}`
})

const families = computed(() => [...new Set(tasks.value.map(({ family }) => family))].sort())

/** Grid of pictures and videos with their facts, and one of them large. */
export const ResultsView = () => {
  const [limit, setLimit] = useState(FIRST_RESULTS)
  const { family, kind, state } = filters.value
  const input = {
    ...(family && { family }),
    ...(kind && { kind }),
    ...(state && { state }),
    ...(search.value && { search: search.value }),
  }
  const wanted = JSON.stringify(input)
  useEffect(() => setLimit(FIRST_RESULTS), [wanted])
  // A word that is no kind or state, in an address that was typed, is refused by the control API in a sentence.
  const { data, error } = useFetch('results.list', { ...input, limit } as ActionInput<'results.list'>, [
    revision.value,
    wanted,
    limit,
    // What has ended is another list after the clock was moved.
    state && clock.value?.now,
  ])
  const { data: all } = useFetch('results.list', { limit: 1 }, [revision.value])
  const { items = [], total = 0 } = data ?? {}
  const cards = items.map((result) => ({ ...result, id: `${result.task}.${result.index}` }))
  if (error !== undefined && (data === undefined || error.status === 400))
    return <ErrorMessage error={error} />
  return (
    <ListView
      label="Results"
      filters={<Filters shown={total} total={all?.total ?? total} />}
      items={cards}
      rowHeight={CARD_HEIGHT}
      columnWidth={CARD_WIDTH}
      onNearEnd={() => items.length === limit && items.length < total && setLimit(2 * limit)}
      row={(result, link) => <Card result={result} link={link} />}
      empty={data !== undefined && <NoResults isFiltered={wanted !== '{}'} />}
      detail={(id) => <OpenResult key={id} id={id} listed={cards.find((card) => card.id === id)} />}
    />
  )
}

/** Least width of a card, and its height with the space around it, in pixels. */
const CARD_WIDTH = 172
const CARD_HEIGHT = 228

const NoResults = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Message text="No result matches the filters." />
  ) : (
    <Message text="Nothing has succeeded yet." hint="The next moments are in the timeline." />
  )

const Filters = ({ shown, total }: { shown: number; total: number }) => (
  <>
    <SearchField label="Search results" placeholder="prompt, model, id" />
    <FilterChoice name="family" label="Family" values={families.value} />
    <FilterChoice name="kind" label="Kind" values={KINDS} />
    <FilterChoice name="state" label="State" values={STATES} />
    <span class="quiet">
      {shown < total && `${formatNumber(shown)} of `}
      {countOf(total, 'result')}
    </span>
  </>
)

/** What is open beside the grid. One that the filters leave out, or that is further down, is read by itself. */
const OpenResult = ({ id, listed }: { id: string; listed: ResultRecord | undefined }) => {
  const [, task = '', index = '0'] = /^(.*)\.(\d+)$/.exec(id) ?? []
  const { data, error } = useFetch('results.list', { task }, [revision.value, id])
  const result = listed ?? data?.items.find((one) => one.task === task && one.index === Number(index))
  if (result === undefined && data === undefined && error === undefined)
    return <Detail label="Result">{null}</Detail>
  return (
    <Detail label="Result">
      {result === undefined ? (
        <Message isError text={`There is no result ${id}.`} hint="Its task was deleted or evicted." />
      ) : (
        <ResultDetail key={JSON.stringify(refOfResult(result))} result={result} />
      )}
    </Detail>
  )
}

const Card = ({ result, link }: { result: ResultRecord & { id: string }; link: RowLink }) => {
  const { id, prompt, family, width, height, seconds, downloads, since, expiresAt } = result
  const [isPlaying, setPlaying] = useState(false)
  const left = Date.parse(expiresAt) - accountNow()
  const share = Math.max(0, left / (Date.parse(expiresAt) - Date.parse(since)))
  return (
    <Link
      to={{ view: 'results', id, query: filters.value }}
      class={left > 0 ? 'card' : 'card ended'}
      onPointerEnter={() => setPlaying(result.kind === 'video')}
      onPointerLeave={() => setPlaying(false)}
      {...link}
    >
      <span class="card-picture">
        <Poster key={JSON.stringify(refOfResult(result))} {...refOfResult(result)} />
        {isPlaying && <Moving result={result} />}
        <Family family={family} />
        {seconds !== null && <span class="card-length">▶ {lengthOf(seconds)}</span>}
      </span>
      <span class="life">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span class="card-prompt">{prompt === '' ? '(no prompt)' : prompt}</span>
      <span class="quiet">
        {width}×{height} · {left > 0 ? `${roughly(left)} left` : '✕ ended'}
        {downloads > 0 && ` · ↓${formatNumber(downloads)}`}
      </span>
    </Link>
  )
}

/** `0:05`. */
const lengthOf = (seconds: number): string => {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** A length of time in its largest unit: `13 d`. */
const roughly = (ms: number): string => formatDuration(ms).split(' ').slice(0, 2).join(' ')

/** The pointer stays over a card for so long before its video is loaded and plays, without its sound. */
const HOVER_MS = 400

const Moving = ({ result }: { result: ResultRecord }) => {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), HOVER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isDue ? <MovingVideo result={result} /> : null
}

const MovingVideo = ({ result }: { result: ResultRecord }) => {
  const { url } = useMedia(result)
  return url === undefined ? null : <video class="poster" src={url} muted autoplay loop />
}
