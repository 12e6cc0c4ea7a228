import { useEffect, useState } from 'preact/hooks'
import type { ResultRecord } from '../../generated/control-api.js'
import { accountNow, api, isMoving, session, sessionState, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyMenu, CopyValue } from '../parts/copy.js'
import { ErrorMessage, Facts } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { Poster, refOfResult } from '../parts/poster.js'
import { FullTime } from '../parts/time.js'
import type { ApiError } from '../state/api.js'
import { formatNumber, shortened } from '../state/format.js'

/** Characters of a prompt that are drawn; a click copies all of it. */
const MAX_PROMPT = 300

/** One result: the picture or the video itself, its facts, and what to do with it. */
export const ResultDetail = ({ result }: { result: ResultRecord }) => {
  const { task: taskId, seconds, framesPerSecond, contentType, codecs, prompt } = result
  const media = useMedia(result)
  const task = tasks.value.find(({ id }) => id === taskId)
  const url = api.origin + result.url
  const bytes = media.bytes ?? result.bytes
  const name = fileNameOf(result)
  const isEnded = Date.parse(result.expiresAt) <= accountNow()
  return (
    <>
      <Media result={result} media={media} />
      <p class="why">
        {prompt === '' ? (
          '(no prompt)'
        ) : (
          <CopyValue value={prompt}>{shortened(prompt, MAX_PROMPT)}</CopyValue>
        )}
      </p>
      <div class="buttons">
        {media.url !== undefined && (
          <a class="button" href={media.url} download={name}>
            Download
          </a>
        )}
        {!isEnded && (
          <Button isDisabled={isMoving.value} onClick={() => session.advance({ to: result.expiresAt })}>
            Clock to when it ends
          </Button>
        )}
      </div>
      <Facts
        entries={[
          ['model', result.model],
          ['pixels', `${result.width}×${result.height}`],
          ['length', seconds !== null && `${seconds} s at ${framesPerSecond} frames a second`],
          ['format', `${contentType}, ${codecs}`],
          ['size', bytes === null ? 'not known before a whole download' : `${formatNumber(bytes)} bytes`],
          ['URL', <CopyValue value={url} />],
          isEnded
            ? [
                'URL ended',
                <>
                  <span class="outcome-refused">✕</span> <FullTime at={result.expiresAt} />
                </>,
              ]
            : ['URL ends', <FullTime at={result.expiresAt} />],
          ['made', <FullTime at={result.since} />],
          ['downloads', downloadText(result.downloads)],
          ['task', <Link to={{ view: 'timeline', id: taskId }}>{taskId}</Link>],
          ['request', task && <Link to={{ view: 'requests', id: task.requestId }}>{task.requestId}</Link>],
          ['price', task?.price],
        ]}
      />
      <CopyMenu
        formats={[
          { label: 'URL', textOf: () => url },
          { label: 'curl', textOf: () => `curl -s -o ${name} '${url}'` },
        ]}
      />
      <p class="quiet">
        What this page shows is no download of your client, and works after the URL has ended.
      </p>
    </>
  )
}

const downloadText = (count: number): string =>
  ['not downloaded', 'downloaded once'][count] ?? `downloaded ${count} times`

/** `cgt-20260101000000-9o2rd.0.mp4`; letters that a shell or a file system takes for something else are `_`. */
const fileNameOf = ({ task, index, contentType }: ResultRecord): string =>
  `${task}.${index}.${contentType.split('/')[1]}`.replace(/[^\w.-]/g, '_')

/** File of a result: its object URL and bytes, or why there is none. All undefined: it is being loaded. */
interface LoadedMedia {
  readonly url?: string
  readonly bytes?: number
  readonly error?: ApiError
}

/** Hook: the file of a result, which is rendered if it was not before. */
export const useMedia = (result: ResultRecord): LoadedMedia => {
  const [loaded, setLoaded] = useState<LoadedMedia>({})
  useEffect(() => {
    const loading = api
      .request(`/results/${encodeURIComponent(result.task)}/${result.index}`, sessionState.value.account?.key)
      .then((response) => response.blob())
      .then((blob) => ({ url: URL.createObjectURL(blob), bytes: blob.size }))
    let isCurrent = true
    loading.then(
      (media) => isCurrent && setLoaded(media),
      (error) => isCurrent && setLoaded({ error }),
    )
    return () => {
      isCurrent = false
      void loading.then(
        ({ url }) => URL.revokeObjectURL(url),
        () => undefined,
      )
    }
    // An account that begins anew gives the ids of its tasks again, for other files.
  }, [JSON.stringify(refOfResult(result))])
  return loaded
}

const Media = ({ result, media: { url, error } }: { result: ResultRecord; media: LoadedMedia }) => {
  const { width, height, kind } = result
  const name = `Result of ${result.task}: ${result.prompt}`
  // The room is kept while it loads, so that nothing below it moves.
  const shape = {
    aspectRatio: `${width} / ${height}`,
    width: `min(${width}px, 100%, ${(52 * width) / height}vh)`,
  }
  if (error !== undefined) return <ErrorMessage error={error} />
  if (url === undefined)
    return (
      <div class="media" style={shape} aria-busy="true">
        <Poster {...refOfResult(result)} />
      </div>
    )
  if (kind !== 'video') return <img class="media" style={shape} src={url} alt={name} />
  // biome-ignore lint/a11y/useMediaCaption: the sound of a result is a tone, which has no words
  return <video class="media" style={shape} src={url} controls aria-label={name} />
}
