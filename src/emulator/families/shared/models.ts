import type { ModelFacts, Running } from '../../core/family-facts.js'
import type { Pixels } from '../../core/media/input.js'
import { SECOND, type TaskDurations } from '../../core/schedule/time.js'
import { type Ratio, widestFirst } from './ratios.js'

/** Facts of a model of videos, all of them. `Size`: the built-in sizes; a profile can add others. */
export interface VideoModel<Size extends string = string>
  extends Required<Omit<ModelFacts, 'sizes' | 'sizesFromText' | 'lastFrameAlone'>> {
  readonly sizes: { readonly [size in Size]?: Readonly<Record<string, Pixels>> }
  readonly sizesFromText?: readonly string[]
  readonly lastFrameAlone?: boolean
}

/** What a task is of, as prices and times go by it. */
interface Order {
  readonly model: string
  readonly size: string
  /** Seconds of video. */
  readonly seconds: number
}

/**
 * The models of a family of videos, with what its schemas and rules read off them. The types name the built-in models and sizes,
 * as the published types do; a profile adds others, so that no code may take the list of a type for all there are.
 */
export class VideoModels<Model extends string = string, Size extends string = string> {
  readonly #models: Readonly<Record<string, VideoModel>>
  /** In the order in which they are listed. */
  readonly ids: readonly [Model, ...Model[]]
  /** Sizes of any model, the smallest first. */
  readonly sizes: readonly [Size, ...Size[]]
  /** Ratios of any model, in the order in which they are listed. */
  readonly ratios: readonly [Ratio, ...Ratio[]]
  /** The shortest and the longest video of any model. */
  readonly seconds: readonly [min: number, max: number]
  /** Prices of a second by model and size, as the setting `prices` names them: `gamma-H3 2K`. */
  readonly pricePerSecond: Readonly<Record<string, number>>

  constructor(models: Readonly<Record<Model, VideoModel<Size>>>) {
    this.#models = models as unknown as Readonly<Record<string, VideoModel>>
    const all = Object.values(this.#models)
    this.ids = Object.keys(models) as [Model, ...Model[]]
    const sizes = new Map(all.flatMap((model) => Object.entries(model.sizes)))
    this.sizes = [...sizes.keys()].sort((a, b) => areaOf(sizes.get(a)) - areaOf(sizes.get(b))) as [
      Size,
      ...Size[],
    ]
    this.ratios = [...new Set(all.flatMap(({ ratios }) => ratios))] as [Ratio, ...Ratio[]]
    this.seconds = [
      Math.min(...all.map(({ seconds: [min] }) => min)),
      Math.max(...all.map(({ seconds: [, max] }) => max)),
    ]
    this.pricePerSecond = Object.fromEntries(
      Object.entries(this.#models).flatMap(([id, { price }]) =>
        Object.entries(price).map(([size, perSecond]) => [`${id} ${size}`, perSecond]),
      ),
    )
  }

  /** Facts of a model. Those of the first stand for a model that there is no more, of a task that was kept. */
  of(id: string): VideoModel {
    return this.#models[id] ?? (this.#models[this.ids[0]] as VideoModel)
  }

  /** Sizes of a model, the smallest first. */
  sizesOf(id: string): readonly string[] {
    const own = Object.keys(this.of(id).sizes)
    return this.sizes.filter((size) => own.includes(size))
  }

  /** Ratios as they are in answers, widest first. */
  get ratiosByWidth(): readonly [Ratio, ...Ratio[]] {
    return widestFirst(this.ratios) as unknown as [Ratio, ...Ratio[]]
  }

  /** Pixels of a video. A size or a ratio that a model does not list is taken from one that does, or cut to the ratio. */
  pixels(id: string, size: string, ratio: string): Pixels {
    const model = this.of(id)
    const tables = [model, ...Object.values(this.#models)].map(({ sizes }) => sizes[size])
    const listed = tables.find((table) => table?.[ratio] !== undefined)?.[ratio]
    if (listed !== undefined) return listed
    return inRatio(tables.find((table) => table !== undefined) ?? Object.values(model.sizes)[0], ratio)
  }

  /** How long a task takes with the timing `realistic`. */
  workload({ model, size, seconds }: Order): TaskDurations {
    const { queuedMs, fixedMs, msPerSecond } = this.of(model).running
    // A size for which no time is given takes as long as the slowest.
    const perSecond = msPerSecond[size] ?? Math.max(...Object.values(msPerSecond))
    return { queuedMs, runningMs: fixedMs + seconds * perSecond }
  }

  /** Whether a fact of all models is the same. */
  agreeOn(fact: (model: VideoModel) => unknown): boolean {
    return new Set(Object.values(this.#models).map((model) => JSON.stringify(fact(model)))).size === 1
  }
}

const areaOf = (byRatio: Readonly<Record<string, Pixels>> | undefined): number => {
  const [{ width, height } = { width: 0, height: 0 }] = Object.values(byRatio ?? {})
  return width * height
}

/** Pixels of a ratio with the area of those that are listed, in even numbers, as video needs them. */
const inRatio = (byRatio: Readonly<Record<string, Pixels>> | undefined, ratio: string): Pixels => {
  const [across = 16, down = 9] = ratio.split(':').map(Number)
  const area = areaOf(byRatio)
  const even = (side: number) => Math.max(2, 2 * Math.round(side / 2))
  return { width: even(Math.sqrt((area * across) / down)), height: even(Math.sqrt((area * down) / across)) }
}

/** Times of a model that takes a share of those of another one. */
export const runningShare = (share: number, { queuedMs, fixedMs, msPerSecond }: Running): Running => ({
  queuedMs,
  fixedMs: share * fixedMs,
  msPerSecond: Object.fromEntries(Object.entries(msPerSecond).map(([size, ms]) => [size, share * ms])),
})

/** Times of a model: so many seconds of waiting, and of running in any case. */
export const running = (queued: number, fixed: number, msPerSecond: Running['msPerSecond']): Running => ({
  queuedMs: queued * SECOND,
  fixedMs: fixed * SECOND,
  msPerSecond,
})
