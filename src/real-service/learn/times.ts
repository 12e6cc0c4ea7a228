import { durationText } from '../../emulator/surface/records.js'
import type { Registry } from '../../emulator/surface/registry.js'
import type { Change } from '../verify/changes.js'
import type { Compared } from '../verify/compare.js'
import { idIn, stateIn } from '../verify/exchange.js'

/** Times of one task, in milliseconds, as its queries show them. */
interface Times {
  readonly family: string
  readonly create: Compared
  readonly queuedMs?: number
  readonly runningMs?: number
}

/** How many tasks a distribution is made of; of fewer, a range is written. */
const ENOUGH = 5

/** Changes of `timing`: how long the tasks of each family have waited and run, as far as queries show. */
export const timingChanges = (all: readonly Compared[], registry: Registry): Change[] => {
  const times = timesIn(all, registry)
  const families = [...new Set(times.map(({ family }) => family))]
  return families.flatMap((family) =>
    (['queued', 'running'] as const).flatMap((key) => {
      const own = times.filter((one) => one.family === family && one[`${key}Ms`] !== undefined)
      const spread = spreadOf(own.map((one) => one[`${key}Ms`] as number))
      if (spread === undefined) return []
      return [
        { at: ['timing', family, key], value: spread, seenIn: own.map(({ create }) => create), settles: [] },
      ]
    }),
  )
}

const timesIn = (all: readonly Compared[], registry: Registry): Times[] =>
  all.flatMap((create) => {
    const operation = registry.operations.find(({ id }) => id === create.ours.operation)
    const { exchange } = create
    const id =
      operation?.makes === 'task' && exchange.answer.status < 400
        ? idIn(operation, exchange.answer.json)
        : undefined
    if (operation === undefined || id === undefined) return []
    const states = all
      .filter(
        ({ exchange: { method, path, answer } }) =>
          method === 'GET' && answer.status < 400 && path.includes(id),
      )
      .map(({ exchange: { answer, at } }) => ({
        at,
        state: stateIn(answer.json, registry, operation.family),
      }))
    const ran = states.find(({ state }) => state === 'running')
    const ended = states.find(({ state }) => state === 'succeeded')
    return [
      {
        family: operation.family,
        create,
        ...(ran === undefined ? {} : { queuedMs: ran.at - exchange.at }),
        ...(ran === undefined || ended === undefined ? {} : { runningMs: ended.at - ran.at }),
      },
    ]
  })

const spreadOf = (times: readonly number[]): unknown => {
  const sorted = [...times].sort((a, b) => a - b)
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return undefined
  if (first === last) return durationText(first)
  if (sorted.length < ENOUGH) return [durationText(first), durationText(last)]
  const at = (share: number) =>
    durationText(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number)
  return { median: at(0.5), p95: at(0.95) }
}
