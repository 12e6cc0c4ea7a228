import type { SeededRandom } from '../core/account/random.js'
import type { AnyTaskFamily, DecisionContext } from '../core/contract.js'
import type { Diagnostic, Path } from '../core/diagnostics.js'
import { isFinal, type TaskTimeline } from '../core/model/task.js'
import { lastOf, type Timing, timings } from '../core/schedule/time.js'
import { suggestion } from '../core/suggest.js'
import type { Spread, TimingRow } from './schema.js'

type Pace = { readonly queued?: Spread | undefined; readonly running?: Spread | undefined }

/** A family whose tasks wait and run as the rows of a profile say. */
export const withTiming = (family: AnyTaskFamily, row: TimingRow): AnyTaskFamily => ({
  ...family,
  timeline: (params, context, id) =>
    retimed(
      family.timeline(params, context, id),
      paceFor(row, context.settings.timing, modelOf(params), family.price?.meter(params).resolution),
      context,
    ),
})

const modelOf = (params: unknown): string => String((params as { model?: unknown }).model)

/** Pace of a task: of each part, the narrowest row counts. A row of one timing goes before those of all. */
const paceFor = (row: TimingRow, timing: Timing, model: string, size: string | undefined): Pace => {
  const layers = [row, row[timing]].flatMap((layer) => {
    if (layer === undefined) return []
    const ofModel = layer.models?.[model]
    return [layer, layer.sizes?.[size ?? ''], ofModel, ofModel?.sizes?.[size ?? '']]
  })
  const narrowest = (part: keyof Pace) => layers.findLast((layer) => layer?.[part] !== undefined)?.[part]
  return { queued: narrowest('queued'), running: narrowest('running') }
}

/** The timeline with other moments: what comes before `running` lasts as long as `queued` says, what follows as `running` says. */
const retimed = <E extends string>(
  timeline: TaskTimeline<E>,
  { queued, running }: Pace,
  { now, random }: Pick<DecisionContext, 'now' | 'random'>,
): TaskTimeline<E> => {
  const started = timeline.find(({ value }) => value.state === 'running')
  const end = lastOf(timeline)
  if (started === undefined || !isFinal(end.value)) return timeline
  const waitMs = queued === undefined ? started.at - now : draw(queued, random, 'profile-queued')
  const runMs = running === undefined ? end.at - started.at : draw(running, random, 'profile-running')
  return timeline.map((moment) =>
    moment.at < started.at || moment.value.state === 'pending' || moment.value.state === 'queued'
      ? { ...moment, at: now + Math.round(share(moment.at - now, started.at - now) * waitMs) }
      : {
          ...moment,
          at:
            now +
            waitMs +
            Math.round(share(moment.at - started.at, end.at - started.at, moment === end) * runMs),
        },
  )
}

/** Part of a span at which a moment stands. Where the span has no length, the end of it stands at its end. */
const share = (part: number, whole: number, isEnd = false): number => {
  if (whole === 0) return isEnd ? 1 : 0
  return part / whole
}

/** The quantile of 95 % of the normal distribution. */
const Z95 = 1.6448536269514722

/**
 * Draws a duration in whole milliseconds: fixed, evenly out of a range, or of the log-normal distribution with that median and
 * 95th percentile, cut off at three deviations.
 */
const draw = (spread: Spread, random: SeededRandom, purpose: string): number => {
  if (typeof spread === 'number') return spread
  if (Array.isArray(spread)) return Math.round(spread[0] + random.fraction(purpose) * (spread[1] - spread[0]))
  const { median, p95 } = spread
  if (median === 0) return 0
  // Box-Muller. 1 - fraction is above 0, of which the logarithm is finite.
  const radius = Math.sqrt(-2 * Math.log(1 - random.fraction(purpose)))
  const deviations = radius * Math.cos(2 * Math.PI * random.fraction(`${purpose}-angle`))
  const bounded = Math.max(-3, Math.min(3, deviations))
  return Math.round(median * (p95 / median) ** (bounded / Z95))
}

/** What is wrong with the timing of a family: models and sizes that it has not, and spans whose ends contradict each other. */
export const timingDiagnostics = (family: AnyTaskFamily, row: TimingRow, at: Path): Diagnostic[] => {
  const { models } = family
  const ofSizes = (sizes: TimingRow['sizes'], ids: readonly string[], path: Path): Diagnostic[] => {
    const possible = sizesOf(family, ids)
    return Object.entries(sizes ?? {}).flatMap(([size, pace]) => [
      ...unknownName('size', size, possible, [...path, 'sizes', size]),
      ...paceDiagnostics(pace, [...path, 'sizes', size]),
    ])
  }
  const ofRow = (layer: Omit<TimingRow, Timing>, path: Path): Diagnostic[] => [
    ...paceDiagnostics(layer, path),
    ...ofSizes(layer.sizes, models, path),
    ...Object.entries(layer.models ?? {}).flatMap(([model, inner]) => [
      ...unknownName('model', model, models, [...path, 'models', model]),
      ...paceDiagnostics(inner, [...path, 'models', model]),
      ...ofSizes(inner.sizes, [model], [...path, 'models', model]),
    ]),
  ]
  return [
    ...ofRow(row, at),
    ...timings.flatMap((timing) => (row[timing] === undefined ? [] : ofRow(row[timing], [...at, timing]))),
  ]
}

/** Sizes of models: those of their facts, and those that have a price. */
const sizesOf = ({ facts, price }: AnyTaskFamily, models: readonly string[]): string[] => {
  const priced = Object.keys(price?.perSecond ?? {}).map((name) => name.split(' '))
  return [
    ...new Set(
      models.flatMap((id) => [
        ...Object.keys(facts?.models[id]?.sizes ?? {}),
        ...priced.flatMap(([model, size]) => (model === id && size !== undefined ? [size] : [])),
      ]),
    ),
  ]
}

const unknownName = (kind: string, name: string, possible: readonly string[], path: Path): Diagnostic[] => {
  const message = `there is no ${kind} ${JSON.stringify(name)}${suggestion(name, possible)}`
  return possible.includes(name) ? [] : [{ path, isKey: true, message }]
}

const paceDiagnostics = (pace: Pace, path: Path): Diagnostic[] =>
  (['queued', 'running'] as const).flatMap((part) => {
    const message = pace[part] === undefined ? undefined : spreadProblem(pace[part])
    return message === undefined ? [] : [{ path: [...path, part], message }]
  })

/** Problem of a spread whose ends contradict each other, or undefined where there is none. */
const spreadProblem = (spread: Spread): string | undefined => {
  if (typeof spread === 'number') return undefined
  if (Array.isArray(spread))
    return spread[1] < spread[0] ? 'the end of the range is below its beginning' : undefined
  return spread.p95 < spread.median ? 'p95 is below median' : undefined
}
