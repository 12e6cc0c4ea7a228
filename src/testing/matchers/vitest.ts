import { expect } from 'vitest'
import { type BacklotMatchers, matchers } from './index.js'

expect.extend(matchers)

declare global {
  // Every version of vitest in the peer range builds its assertions on these of chai, and the type parameters of vitest's
  // own interface differ between versions, which a declaration cannot.
  namespace Chai {
    interface Assertion extends BacklotMatchers<void> {}
  }
}
