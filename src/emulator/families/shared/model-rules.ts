import type { Rule } from '../../core/contract.js'
import { type Mode, modes } from '../../core/family-facts.js'
import { mustBe } from '../../core/request.js'
import type { VideoModel, VideoModels } from './models.js'
import { modeOf, type RequestMedium } from './schema.js'

/** What a rule reads out of a request, by what its family calls it. */
interface Field<In, Value> {
  readonly field: string
  readonly of: (input: In) => Value
}

type WithModel = { readonly model: string }
type Media = readonly Pick<RequestMedium, 'role'>[]

/** Lengths in words: those of the first model, and behind them those of models that have others. */
export const secondsWords = (models: VideoModels): string => {
  const [first, ...others] = models.ids
  const [min, max] = models.of(first).seconds
  const range = `an integer from ${min} to ${max}`
  const exceptions = others.flatMap((id) => {
    const [least, most] = models.of(id).seconds
    if (least === min && most === max) return []
    return [`, for ${id} from ${least}${most === max ? '' : ` to ${most}`}`]
  })
  return range + exceptions.join('')
}

/** A list in words: `480p, 720p or 1080p`. */
export const either = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

const ofEach = (models: VideoModels, words: (id: string) => string): string =>
  models.ids.map((id) => `${words(id)} for ${id}`).join(', ')

/** The length is one that the model makes. */
export const modelHasDuration = <In extends WithModel>(
  models: VideoModels,
  { field, of }: Field<In, number>,
  place: string,
): Rule<In, never> => ({
  id: 'model-has-duration',
  says: `\`${field}\` is ${ofEach(models, (id) => models.of(id).seconds.join(' to '))}.`,
  place,
  check: (input) => {
    const seconds = of(input)
    const [min, max] = models.of(input.model).seconds
    // -1: the service chooses.
    if (seconds === -1 || (seconds >= min && seconds <= max)) return undefined
    return mustBe(field, `an integer from ${min} to ${max} for ${input.model}`, seconds)
  },
})

/** The size is one that the model makes. */
export const modelHasSize = <In extends WithModel>(
  models: VideoModels,
  id: string,
  { field, of }: Field<In, string>,
  place: string,
): Rule<In, never> => ({
  id,
  says: `\`${field}\` is ${ofEach(models, (model) => either(models.sizesOf(model)))}.`,
  place,
  check: (input) => {
    const sizes = models.sizesOf(input.model)
    const size = of(input)
    return sizes.includes(size) ? undefined : mustBe(field, `${either(sizes)} for ${input.model}`, size)
  },
})

/** Rules on that in which models differ. A family whose models agree has none of them: no call could break one. */
export const modelDifferences = <In extends WithModel>(
  models: VideoModels,
  fields: {
    readonly seconds?: Field<In, number>
    readonly size?: Field<In, string>
    readonly ratio?: Field<In, string | undefined>
    /** What says in which mode a video is asked for. */
    readonly media?: Field<In, Media>
    /** The modes in which models may differ here. Default: all of them. */
    readonly modes?: readonly Mode[]
  },
  place: string,
): Rule<In, never>[] => {
  const { seconds, size, ratio, media, modes: of = modes } = fields
  const modesOf = (model: VideoModel) => model.modes.filter((mode) => of.includes(mode))
  return [
    ...(seconds === undefined || models.agreeOn((model) => model.seconds)
      ? []
      : [modelHasDuration(models, seconds, place)]),
    ...(size === undefined || models.agreeOn((model) => Object.keys(model.sizes))
      ? []
      : [modelHasSize(models, 'model-has-size', size, place)]),
    ...(ratio === undefined || models.agreeOn((model) => model.ratios)
      ? []
      : [modelHasRatio(models, ratio, place)]),
    ...(media === undefined || models.agreeOn(modesOf) ? [] : [modelHasMode(models, media, place)]),
  ]
}

const modelHasRatio = <In extends WithModel>(
  models: VideoModels,
  { field, of }: Field<In, string | undefined>,
  place: string,
): Rule<In, never> => ({
  id: 'model-has-ratio',
  says: `\`${field}\` is ${ofEach(models, (id) => either(models.of(id).ratios))}, or adaptive.`,
  place,
  check: (input) => {
    const { ratios } = models.of(input.model)
    const ratio = of(input) ?? 'adaptive'
    if (ratio === 'adaptive' || ratios.includes(ratio)) return undefined
    return mustBe(field, `${either([...ratios, 'adaptive'])} for ${input.model}`, ratio)
  },
})

const modeWords = {
  text: 'text alone',
  'first-frame': 'a first frame',
  'first-last-frame': 'a first and a last frame',
  reference: 'references',
} as const

const modesInWords = (models: VideoModels, id: string): string =>
  either(models.of(id).modes.map((mode) => modeWords[mode]))

const modelHasMode = <In extends WithModel>(
  models: VideoModels,
  { field, of }: Field<In, Media>,
  place: string,
): Rule<In, never> => ({
  id: 'model-has-mode',
  says: `A video is made from ${ofEach(models, (id) => modesInWords(models, id))}.`,
  place,
  check: (input) => {
    const mode = modeOf(of(input))
    if (models.of(input.model).modes.includes(mode)) return undefined
    return mustBe(field, `${modesInWords(models, input.model)} for ${input.model}`, modeWords[mode])
  },
})
