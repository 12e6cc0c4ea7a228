import type { EventEmitter } from 'node:events'
import { EmulatorError } from '../core/emulator-error.js'
import type { Events } from '../core/events.js'
import { type Need, needs, type Trouble } from '../core/troubles/trouble.js'

/** Tells of faults of the surroundings once, however many calls meet them, and once more when they are over. */
export interface Troubles {
  /** Something that was needed did not work. */
  had(need: Need, error: unknown): void
  /** It works. Cheap, so that it can be said every time. */
  over(need: Need): void
  /** Those that are not over. */
  current(): readonly Trouble[]
}

/** For parts on their own: nobody is told. */
export const noTroubles: Troubles = { had: () => {}, over: () => {}, current: () => [] }

export const createTroubles = (events: EventEmitter<Events>): Troubles => {
  const troubles = new Map<Need, Trouble>()
  const episodes = new Map<Need, number>()

  /** Something that comes and goes is told of the first, tenth, hundredth … time. */
  const isTold = (need: Need): boolean => Number.isInteger(Math.log10(episodes.get(need) ?? 1))

  const tell = (trouble: Trouble): void => {
    if (isTold(trouble.need)) events.emit('trouble', trouble)
  }

  return {
    had: (need, error) => {
      const known = troubles.get(need)
      const trouble = troubleOf(need, error, (known?.times ?? 0) + 1)
      troubles.set(need, trouble)
      if (known?.code === trouble.code) return
      if (known === undefined) episodes.set(need, (episodes.get(need) ?? 0) + 1)
      tell(trouble)
    },
    over: (need) => {
      const trouble = troubles.get(need)
      if (trouble === undefined) return
      troubles.delete(need)
      const says = `It works again, after ${trouble.times} ${trouble.times === 1 ? 'failure' : 'failures'}: ${needs[need].replace('cannot be', 'can be')}.`
      tell({ ...trouble, state: 'over', says, hint: '' })
    },
    current: () => [...troubles.values()],
  }
}

const troubleOf = (need: Need, error: unknown, times: number): Trouble => {
  const { message, code, hint } = described(error)
  return { need, state: 'begun', code, says: `${needs[need]}: ${message}`, hint: hint ?? '', times }
}

const described = (error: unknown): { message: string; code: string; hint?: string | undefined } =>
  error instanceof EmulatorError
    ? error
    : { message: error instanceof Error ? error.message : String(error), code: 'unexpected' }
