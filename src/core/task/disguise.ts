import type { TaskView } from './task.js'

/** How the answers about a task differ from the truth, where a scenario wants them to. Kept with the task. */
export interface ResponseOverrides {
  /** Succeeds, and no result URL is given. */
  readonly withoutUrl?: boolean
  /** What is said instead of `running`. */
  readonly statusWord?: string
  /** Progress falls again half-way through running. */
  readonly progressJumpsBack?: boolean
}

const urlKeys = ['url', 'video_url', 'last_frame_url']

/** The body of a query response as the disguise has it; the body itself where there is none. */
export const withOverrides = (body: unknown, { task, phase }: TaskView): unknown => {
  const { disguise } = task
  if (disguise === undefined || (phase.state !== 'running' && phase.state !== 'succeeded')) return body
  return retouch(body, (key, value) => {
    if (disguise.withoutUrl && urlKeys.includes(key) && phase.state === 'succeeded') return undefined
    if (disguise.statusWord !== undefined && key === 'status' && phase.state === 'running')
      return disguise.statusWord
    if (disguise.progressJumpsBack && key === 'progress' && typeof value === 'number')
      return jumpedBack(value)
    return value
  })
}

const jumpedBack = (progress: number): number => (progress >= 50 && progress < 100 ? progress - 45 : progress)

const retouch = (value: unknown, touch: (key: string, value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => retouch(item, touch))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const touched = touch(key, inner)
      return touched === undefined ? [] : [[key, retouch(touched, touch)]]
    }),
  )
}
