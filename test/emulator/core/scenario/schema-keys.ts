import { thenSchema } from '../../../../src/emulator/core/scenario/effects/index.js'
import { whenSchema } from '../../../../src/emulator/core/scenario/selector.js'

/** Every key that a step can have under `when`. */
export const selectorKeys: readonly string[] = Object.keys(whenSchema.shape)

/** Every key of every part of `then`. */
export const effectKeys: readonly string[] = Object.values(thenSchema.shape).flatMap((part) => {
  const inner = part.unwrap()
  return 'shape' in inner ? Object.keys(inner.shape) : []
})
