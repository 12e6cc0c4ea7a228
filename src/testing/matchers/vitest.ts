import { expect } from 'vitest'
import { type BacklotMatchers, matchers } from './index.js'

expect.extend(matchers)

export type { Matchers } from 'vitest'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an addition has to have the type parameters of what it is added to
  interface Matchers<T = any> extends BacklotMatchers<void> {}
}
