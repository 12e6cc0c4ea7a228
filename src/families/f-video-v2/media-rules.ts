import type { MediaFacts } from '../../core/media/facts.js'
import { mustBe } from '../../core/request/must-be.js'
import type { Rule } from '../../core/task/rule.js'
import { factsOf } from '../shared/media-rules.js'
import { mediaRefsOf } from './content.js'
import type { VideoError } from './errors.js'
import { audioLimits, imageLimits, type Limit, videoLimits } from './media-limits.js'
import type { VideoInput } from './schema.js'

type VideoRule = Rule<VideoInput, VideoError>

const PLACE = '§F media limits, gap Z7'

const eachOf = <F extends MediaFacts>(
  kind: F['kind'],
  noun: string,
  limits: readonly Limit<F>[],
): VideoRule[] =>
  limits.map(({ id, is, found, holds }) =>
    factsOf<VideoInput, F, VideoError>(
      { id: `${kind}-${id}`, says: `${noun} is ${is}.`, place: PLACE },
      kind,
      mediaRefsOf,
      (facts, field) => (holds(facts) ? undefined : mustBe('bad_request_error', field, is, found(facts))),
    ),
  )

const MAX_SECONDS_IN_ALL = 15

const inAll = (kind: 'video' | 'audio'): VideoRule => ({
  id: `${kind}-seconds-in-all`,
  says: `The ${kind} references are together at most ${MAX_SECONDS_IN_ALL} seconds long.`,
  place: PLACE,
  check: (input, world) => {
    let total = 0
    for (const { field, url } of mediaRefsOf(input)) {
      const found = world.found(url)
      if (found?.state !== 'read' || found.facts.kind !== kind) continue
      total = wholeMilliseconds(total + found.facts.seconds)
      if (total > MAX_SECONDS_IN_ALL)
        return mustBe(
          'bad_request_error',
          field,
          `within ${MAX_SECONDS_IN_ALL} seconds of ${kind} in all`,
          total,
        )
    }
    return undefined
  },
})

// So that lengths which add up to 15 on paper do so here: 2.2 + 5.9 + 6.9 is 15.000000000000002 to a computer.
const wholeMilliseconds = (value: number): number => Math.round(value * 1_000) / 1_000

/** The table of media limits as rules. Its counts are among the rules on combinations, its body size at the door. */
export const mediaRules: readonly VideoRule[] = [
  ...eachOf('image', 'An image', imageLimits),
  ...eachOf('video', 'A video', videoLimits),
  inAll('video'),
  ...eachOf('audio', 'An audio', audioLimits),
  inAll('audio'),
]
