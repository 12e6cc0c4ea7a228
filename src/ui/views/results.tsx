import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { ResultRecord } from '../../generated/control-api.js'
import { account, accountNow, api, place, report, sessionState, tasks } from '../app.js'
import { useAnswer } from '../parts/answer.js'
import { CopyMenu, CopyValue } from '../parts/copy.js'
import { Detail, Facts, Message } from '../parts/facts.js'
import { Link } from '../parts/link.js'
import { useListShortcuts } from '../parts/shortcuts.js'
import { FullTime } from '../parts/time.js'
import { VirtualList } from '../parts/virtual-list.js'
import { amount } from '../state/amount.js'
import { relative } from '../state/time.js'

const idOf = ({ task, index }: ResultRecord): string => `${task}.${index}`

const cursor = signal('')

/** Results that are asked for; older ones are counted. */
const MAX_RESULTS = 500

/** Pictures and videos with their facts, and one of them large. */
export const ResultsView = () => {
  const { answer, problem } = useAnswer('results.list', { limit: MAX_RESULTS }, [tasks.value])
  const open = place.value.id
  const items = answer?.items ?? []
  const selected = useListShortcuts({ items, idOf, cursor })
  if (problem !== undefined && answer === undefined)
    return <Message isError text={problem.message} hint={problem.hint} />
  const opened = items.find((result) => idOf(result) === open)
  return (
    <div class={open === '' ? 'split' : 'split with-detail'}>
      <div class="split-list">
        <div class="filters">
          <span class="quiet">
            {answer?.total ?? 0} pictures and videos
            {(answer?.total ?? 0) > MAX_RESULTS && `, the latest ${MAX_RESULTS} are listed`}
          </span>
        </div>
        {items.length === 0 ? (
          <Message
            text="Nothing has succeeded yet."
            hint="Move the clock: the next moments are in the timeline."
          />
        ) : (
          <VirtualList
            items={items}
            idOf={idOf}
            rowHeight={88}
            label="Results"
            selected={selected}
            row={(result) => <ResultLine result={result} isSelected={idOf(result) === selected} />}
          />
        )}
      </div>
      {open !== '' && answer !== undefined && (
        <Detail label="Result">
          {opened === undefined ? (
            <Message isError text={`There is no result ${open}.`} hint="Its task was deleted or evicted." />
          ) : (
            <ResultDetail key={open} result={opened} />
          )}
        </Detail>
      )}
    </div>
  )
}

const ResultLine = ({ result, isSelected }: { result: ResultRecord; isSelected: boolean }) => {
  const { prompt, model, width, height, seconds, kind, bytes, downloads } = result
  return (
    <Link to={{ view: 'results', id: idOf(result) }} isCurrent={isSelected} class="result-line">
      <span class="thumbnail">
        {/* A video is only loaded where it is rendered already: rendering it for a small picture is too dear. */}
        {kind !== 'video' || bytes !== null ? (
          <Media result={result} isSmall />
        ) : (
          <span class="quiet">▶ {seconds} s</span>
        )}
      </span>
      <span class="result-words">
        <span class="result-prompt">{prompt === '' ? '(no prompt)' : prompt}</span>
        <span class="quiet">
          {model} · {width}×{height}
          {seconds !== null && ` · ${seconds} s`}
        </span>
        <span class="quiet">
          <TimeLeft result={result} /> · {downloadText(downloads)}
        </span>
      </span>
    </Link>
  )
}

const downloadText = (count: number): string =>
  count === 0 ? 'not downloaded' : count === 1 ? 'downloaded once' : `downloaded ${count} times`

/** How long the URL lasts by the account's clock. */
const TimeLeft = ({ result: { expiresAt } }: { result: ResultRecord }) => {
  const now = accountNow()
  const text = relative(expiresAt, now)
  return Date.parse(expiresAt) <= now ? (
    <span class="outcome-refused">✕ URL ended {text}</span>
  ) : (
    <span>URL ends {text}</span>
  )
}

const ResultDetail = ({ result }: { result: ResultRecord }) => {
  const { task, url, seconds, framesPerSecond, bytes, contentType, codecs } = result
  const made = tasks.value.find(({ id }) => id === task)
  const whole = api.origin + url
  const curl = `curl -s -o result.${contentType.split('/')[1]} '${whole}'`
  return (
    <>
      <Media result={result} isSmall={false} />
      <p class="why">{result.prompt}</p>
      <Facts
        of={[
          ['pixels', `${result.width}×${result.height}`],
          ['length', seconds === null ? undefined : `${seconds} s at ${framesPerSecond} frames a second`],
          ['format', `${contentType}, ${codecs}`],
          ['size', bytes === null ? 'not known before a whole download' : `${amount(bytes)} bytes`],
          ['URL', <CopyValue value={whole} />],
          ['time left', <TimeLeft result={result} />],
          ['URL ends', <FullTime at={result.expiresAt} />],
          ['made', <FullTime at={result.since} />],
          ['downloads', downloadText(result.downloads)],
          ['task', <Link to={{ view: 'timeline', id: task }}>{task}</Link>],
          [
            'request',
            made === undefined ? undefined : (
              <Link to={{ view: 'requests', id: made.requestId }}>{made.requestId}</Link>
            ),
          ],
          ['price', made === undefined ? undefined : made.price],
        ]}
      />
      <CopyMenu
        choices={[
          { label: 'URL', make: () => whole },
          { label: 'curl', make: () => curl },
        ]}
      />
      <p class="quiet">
        What this page shows is no download of your client, and works after the URL has ended.
      </p>
    </>
  )
}

/** Object URLs of files that were looked at, the latest ones, so that a list can be scrolled to and fro. */
const looked = new Map<string, Promise<string>>()
const MAX_LOOKED = 60

const fileOf = ({ task, index }: ResultRecord): Promise<string> => {
  const name = `${account.value.account}/${task}/${index}`
  const known = looked.get(name)
  if (known !== undefined) return known
  const loading = api
    .request(`/results/${encodeURIComponent(task)}/${index}`, sessionState.value.account?.key)
    .then(async (response) => URL.createObjectURL(await response.blob()))
  loading.catch(() => looked.delete(name))
  looked.set(name, loading)
  for (const [oldest, url] of looked) {
    if (looked.size <= MAX_LOOKED) break
    looked.delete(oldest)
    void url.then(URL.revokeObjectURL, () => undefined)
  }
  return loading
}

const Media = ({ result, isSmall }: { result: ResultRecord; isSmall: boolean }) => {
  const [source, setSource] = useState('')
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let isCurrent = true
    fileOf(result).then(
      (url) => isCurrent && setSource(url),
      (error) => {
        if (!isCurrent) return
        setProblem(error instanceof Error ? error.message : String(error))
        if (!isSmall) report(error)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [idOf(result)])
  if (problem !== '') return <span class="problem">{isSmall ? '✕' : problem}</span>
  if (source === '') return <span class="quiet">{isSmall ? '…' : 'Rendering…'}</span>
  const name = `Result of ${result.task}: ${result.prompt}`
  if (result.kind !== 'video') return <img class="media" src={source} alt={isSmall ? '' : name} />
  return isSmall ? (
    <video class="media" src={source} muted tabIndex={-1} aria-hidden="true" />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: the sound of a result is a tone, which has no words
    <video class="media" src={source} controls aria-label={name} />
  )
}
