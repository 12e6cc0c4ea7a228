import { useEffect, useState } from 'preact/hooks'
import type { ResultRecord } from '../../generated/control-api.js'
import { accountNow, api, isMoving, session, sessionState, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyMenu, CopyValue } from '../parts/copy.js'
import { Detail, ErrorMessage, Facts, Message } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { ListView } from '../parts/list-view.js'
import { FullTime } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import type { RowLink } from '../parts/virtual-list.js'
import type { ApiError } from '../state/api.js'
import { countOf, formatNumber, relativeTime } from '../state/format.js'

/** Results that are fetched; older ones are counted. */
const MAX_RESULTS = 500

/** Pictures and videos with their facts, and one of them large. */
export const ResultsView = () => {
  const { data, error } = useFetch('results.list', { limit: MAX_RESULTS }, [tasks.value])
  const { items = [], total = 0 } = data ?? {}
  const rows = items.map((result) => ({ ...result, id: `${result.task}.${result.index}` }))
  if (error !== undefined && data === undefined) return <ErrorMessage error={error} />
  return (
    <ListView
      label="Results"
      filters={
        <span class="quiet">
          {countOf(total, 'result')}
          {total > MAX_RESULTS && `, the latest ${MAX_RESULTS} are listed`}
        </span>
      }
      items={rows}
      rowHeight={88}
      row={(result, link) => <ResultLine result={result} link={link} />}
      empty={<Message text="Nothing has succeeded yet." hint="The next moments are in the timeline." />}
      detail={(id) => {
        const result = rows.find((row) => row.id === id)
        return (
          data !== undefined && (
            <Detail label="Result">
              {result === undefined ? (
                <Message isError text={`There is no result ${id}.`} hint="Its task was deleted or evicted." />
              ) : (
                <Result key={id} result={result} />
              )}
            </Detail>
          )
        )
      }}
    />
  )
}

const ResultLine = ({ result, link }: { result: ResultRecord & { id: string }; link: RowLink }) => {
  const { id, prompt, model, width, height, seconds, kind, bytes, downloads } = result
  return (
    <Link to={{ view: 'results', id }} class="result-line" {...link}>
      <span class="thumbnail">
        {/* A video is only loaded where it is rendered already: rendering one for a thumbnail takes too long. */}
        {kind !== 'video' || bytes !== null ? (
          <Thumbnail result={result} />
        ) : (
          <span class="quiet">▶ {seconds} s</span>
        )}
      </span>
      <span class="result-words">
        <span>{prompt === '' ? '(no prompt)' : prompt}</span>
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
  ['not downloaded', 'downloaded once'][count] ?? `downloaded ${count} times`

/** How long the URL lasts by the account's clock. */
const TimeLeft = ({ result: { expiresAt } }: { result: ResultRecord }) => {
  const now = accountNow()
  const text = relativeTime(expiresAt, now)
  return Date.parse(expiresAt) <= now ? (
    <span class="outcome-refused">✕ URL ended {text}</span>
  ) : (
    <span>URL ends {text}</span>
  )
}

const Result = ({ result }: { result: ResultRecord }) => {
  const { task: taskId, seconds, framesPerSecond, bytes, contentType, codecs } = result
  const task = tasks.value.find(({ id }) => id === taskId)
  const url = api.origin + result.url
  const curl = `curl -s -o result.${contentType.split('/')[1]} '${url}'`
  return (
    <>
      <Media result={result} />
      <p class="why">{result.prompt}</p>
      <Facts
        entries={[
          ['pixels', `${result.width}×${result.height}`],
          ['length', seconds !== null && `${seconds} s at ${framesPerSecond} frames a second`],
          ['format', `${contentType}, ${codecs}`],
          ['size', bytes === null ? 'not known before a whole download' : `${formatNumber(bytes)} bytes`],
          ['URL', <CopyValue value={url} />],
          ['time left', <TimeLeft result={result} />],
          ['URL ends', <FullTime at={result.expiresAt} />],
          ['made', <FullTime at={result.since} />],
          ['downloads', downloadText(result.downloads)],
          ['task', <Link to={{ view: 'timeline', id: taskId }}>{taskId}</Link>],
          ['request', task && <Link to={{ view: 'requests', id: task.requestId }}>{task.requestId}</Link>],
          ['price', task?.price],
        ]}
      />
      {Date.parse(result.expiresAt) > accountNow() && (
        <Button isDisabled={isMoving.value} onClick={() => session.advance({ to: result.expiresAt })}>
          Clock to when it ends
        </Button>
      )}
      <CopyMenu
        formats={[
          { label: 'URL', textOf: () => url },
          { label: 'curl', textOf: () => curl },
        ]}
      />
      <p class="quiet">This is no download of your client, and works after the URL has ended.</p>
    </>
  )
}

/** Hook: the object URL of a result's file, or why there is none. Both undefined: it is being loaded. */
const useObjectUrl = (result: ResultRecord) => {
  const [loaded, setLoaded] = useState<{ url?: string; error?: ApiError }>({})
  useEffect(() => {
    const loading = api
      .request(`/results/${encodeURIComponent(result.task)}/${result.index}`, sessionState.value.account?.key)
      .then(async (response) => URL.createObjectURL(await response.blob()))
    let isCurrent = true
    loading.then(
      (url) => isCurrent && setLoaded({ url }),
      (error) => isCurrent && setLoaded({ error }),
    )
    return () => {
      isCurrent = false
      void loading.then(URL.revokeObjectURL, () => undefined)
    }
    // An account that begins anew gives the ids of its tasks again, for other files.
  }, [JSON.stringify({ ...result, bytes: 0, downloads: 0 })])
  return loaded
}

const Thumbnail = ({ result }: { result: ResultRecord }) => {
  const { url, error } = useObjectUrl(result)
  if (error !== undefined) return <span class="problem">✕</span>
  if (url === undefined) return <span class="quiet">…</span>
  if (result.kind !== 'video') return <img class="media" src={url} alt="" />
  return <video class="media" src={url} muted tabIndex={-1} aria-hidden="true" />
}

const Media = ({ result }: { result: ResultRecord }) => {
  const { url, error } = useObjectUrl(result)
  if (error !== undefined) return <ErrorMessage error={error} />
  if (url === undefined) return <span class="quiet">Rendering…</span>
  const name = `Result of ${result.task}: ${result.prompt}`
  if (result.kind !== 'video') return <img class="media" src={url} alt={name} />
  // biome-ignore lint/a11y/useMediaCaption: the sound of a result is a tone, which has no words
  return <video class="media" src={url} controls aria-label={name} />
}
