import { useLayoutEffect, useState } from 'preact/hooks'
import type { ResultRecord, TaskRecord } from '../../generated/control-api.js'
import { account, api, sessionState } from '../app.js'
import { createPosters, type LoadedPoster, type PosterRef } from '../state/posters.js'
import { promptOf } from '../state/request-rows.js'
import { Link } from './link.js'

const posters = createPosters({
  load: async ({ task, index }) => {
    const path = `/results/${encodeURIComponent(task)}/${index}/poster`
    const response = await api.request(path, sessionState.value.account?.key)
    return URL.createObjectURL(await response.blob())
  },
  revoke: (url) => URL.revokeObjectURL(url),
})

/** Poster of a result: its picture, or the first frame of its video. It says nothing: what is beside it names the result. */
export const Poster = (ref: PosterRef) => {
  const [{ url, error }, setLoaded] = useState<LoadedPoster>({})
  useLayoutEffect(() => posters.want(ref, setLoaded), [ref.task, ref.index, ref.stamp])
  if (error !== undefined) return <span class="poster problem">✕</span>
  return url === undefined ? (
    <span class="poster" />
  ) : (
    <img class="poster" src={url} alt="" decoding="async" />
  )
}

const stampOf = (...facts: readonly string[]): string => [account.value.tag, ...facts].join('\n')

/** Poster of a result of the list of results. */
export const refOfResult = ({ task, index, since, model, prompt }: ResultRecord): PosterRef => ({
  task,
  index,
  stamp: stampOf(since, model, prompt),
})

/** Posters of a task, one for each of its results; none before it has succeeded. */
export const refsOfTask = ({
  id,
  status,
  since,
  model,
  order,
  timeline,
}: TaskRecord): readonly PosterRef[] => {
  const count = status === 'succeeded' ? (timeline.at(-1)?.media ?? 0) : 0
  const stamp = stampOf(since, model, promptOf(order) ?? '')
  return Array.from({ length: count }, (_, index) => ({ task: id, index, stamp }))
}

/** What a task has made: a picture of each result, which opens it. Nothing where it has made none. */
export const TaskResults = ({ task }: { task: TaskRecord }) => {
  const refs = refsOfTask(task)
  if (refs.length === 0) return null
  return (
    <ul class="thumbnails">
      {refs.map((ref) => (
        <li key={`${ref.stamp} ${ref.index}`}>
          <Link
            to={{ view: 'results', id: `${ref.task}.${ref.index}` }}
            aria-label={`Result ${ref.index + 1}`}
          >
            <Poster {...ref} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
