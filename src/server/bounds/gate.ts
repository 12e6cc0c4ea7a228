import type { QuotaName } from '../../core/bounds/bounds.js'
import type { Quotas } from './bounds.js'

/** Lets in so many at a time, and turns others away. */
export interface Gate {
  /** What is to be called in the end; undefined where there is no room. */
  enter(): (() => void) | undefined
}

export const createGate = (name: QuotaName, most: number, bounds: Quotas): Gate => {
  let inside = 0
  bounds.measure({ [name]: () => inside })
  return {
    enter: () => {
      if (inside >= most) {
        bounds.refuse(name)
        return undefined
      }
      inside += 1
      bounds.saw(name, inside)
      return () => {
        inside -= 1
      }
    },
  }
}
