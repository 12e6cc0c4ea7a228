import fc from 'fast-check'
import type { MatchInput } from '../../../src/core/scenario/occasion.js'
import { createCall, type StepInput, stepWhen, type WhenInput } from './literals.js'

/** What happens to those who play, one thing after the other. */
export type Event =
  | { readonly what: 'occasions'; readonly house: 0 | 1; readonly guest: boolean; readonly series: Series }
  /** That a step acted is taken back, as late as may be: of the latest occasion on which one did. */
  | { readonly what: 'taken back'; readonly house: 0 | 1 }
  | { readonly what: 'copied'; readonly house: 0 | 1 }

/** As many occasions that are alike, with so many milliseconds before each. */
interface Series {
  readonly occasion: Omit<MatchInput, 'now'>
  readonly length: number
  readonly apart: number
}

/** One of them, or more often none: a step that asks for much would be about hardly any occasion. */
const optional = <T>(...values: T[]) => fc.constantFrom<(T | undefined)[]>(undefined, undefined, ...values)

const when: fc.Arbitrary<WhenInput> = fc.record({
  operation: fc.constantFrom('b-video-task.create', 'b-video-task.*'),
  model: optional('gamma-H3'),
  account: optional('alice'),
  prompt: optional<WhenInput['prompt']>({ contains: 'fog' }, { matches: '^a storm' }),
  callback: optional<WhenInput['callback']>('delivery', { status: 'running' }),
})

const count: fc.Arbitrary<WhenInput> = fc.record({
  nth: optional<WhenInput['nth']>(1, 3, 9, [2, 5]),
  first: optional(1, 4, 12),
  every: optional(1, 3),
  after: optional(0, 2, 7),
})

const time: fc.Arbitrary<WhenInput> = fc.record({
  from: optional('1s', '4s', '20s'),
  until: optional('2s', '6s'),
  probability: fc.constantFrom(undefined, undefined, undefined, 0.5),
})

/** Few parts at a time, or hardly a step would ever act. */
const step: fc.Arbitrary<StepInput> = fc
  .tuple(when, fc.option(count, { nil: {} }), fc.option(time, { nil: {} }), optional(1, 2))
  .map(([one, two, three, times]) => stepWhen({ ...one, ...two, ...three }, { times }))

export const steps = fc.array(step, { minLength: 1, maxLength: 5 })

const series: fc.Arbitrary<Series> = fc.record({
  occasion: fc
    .record({
      operation: fc.constantFrom('b-video-task.create', 'b-video-task.create', 'b-video-task.read'),
      model: fc.constantFrom('gamma-H3', 'videoa-2-0-260128', undefined),
      account: fc.constantFrom('alice', 'bob'),
      prompt: fc.constantFrom('a lighthouse in the fog', 'a storm at sea', undefined),
      callback: fc.constantFrom<MatchInput['callback'][]>(
        undefined,
        undefined,
        { kind: 'delivery', status: 'running' },
        { kind: 'delivery', status: 'queued' },
      ),
    })
    .map(({ prompt, ...rest }) => createCall({ ...rest, prompt: () => prompt })),
  length: fc.nat(12),
  apart: fc.constantFrom(0, 0, 500, 1_000, -1_000, 7_000, -7_000),
})

const house = fc.constantFrom<(0 | 1)[]>(0, 1)

const eventOf = (known: readonly Series[]): fc.Arbitrary<Event> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constant('occasions' as const),
        house,
        guest: fc.constantFrom(false, false, false, true),
        series: fc.constantFrom(...known),
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('taken back' as const), house }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('copied' as const), house }) },
  )

/** A few series come again and again, as those of clients do. */
export const events = fc
  .array(series, { minLength: 1, maxLength: 3 })
  .chain((known) => fc.array(eventOf(known), { minLength: 1, maxLength: 12 }))
