import { jestGlobals } from '../jest/globals.js'
import { type BacklotMatchers, matchers } from './index.js'

jestGlobals().expect.extend(matchers)

// Jest has two sets of types: its own, which have to be loaded to be added to, and those of @types/jest.
export type { Matchers } from 'expect'

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends BacklotMatchers<R> {}
}

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: an addition has to have the type parameters of what it is added to
    interface Matchers<R, T = {}> extends BacklotMatchers<R> {}
  }
}
