import type { OperationPattern, RulePattern } from '../../generated/names.js'
import { type BehavedOptions, toHaveBehaved } from './behaved.js'
import {
  type ImageOptions,
  type PictureOptions,
  toBeAnImage,
  toBeAPicture,
  toBeAVideo,
  type VideoOptions,
} from './media.js'
import { type Matching, type Outcome, toBeExplainedBy, toHaveSucceeded } from './outcome.js'
import {
  type DeliveredOptions,
  type ReceivedOptions,
  toHaveDeliveredCallback,
  toHaveReceived,
} from './received.js'

export type { OperationPattern, RulePattern } from '../../generated/names.js'
export type {
  BehavedOptions,
  DeliveredOptions,
  ImageOptions,
  Matching,
  Outcome,
  PictureOptions,
  ReceivedOptions,
  VideoOptions,
}

/**
 * Matchers for `expect.extend(matchers)` of any framework that has it. `backlot/matchers/vitest` and
 * `backlot/matchers/jest` do that, and tell TypeScript of it.
 */
export const matchers: {
  [Name in keyof BacklotMatchers]: (
    this: Matching,
    received: unknown,
    ...given: Parameters<BacklotMatchers[Name]>
  ) => ReturnType<BacklotMatchers[Name]> extends Promise<unknown> ? Promise<Outcome> : Outcome
} = {
  toHaveBehaved,
  toHaveReceived,
  toHaveDeliveredCallback,
  toHaveSucceeded,
  toBeExplainedBy,
  toBeAVideo,
  toBeAPicture,
  toBeAnImage,
}

/** The matchers as `expect(…)` has them; those of an emulator and of media are to be awaited. */
export interface BacklotMatchers<R = unknown> {
  /** Of an emulator or an account: its client did nothing that a robust client does not do. */
  toHaveBehaved(options?: BehavedOptions): Promise<R>
  /** Of an emulator or an account: it was called so, by an operation such as `b-video-task.create` or `b-video-task.*`. */
  toHaveReceived(operation: OperationPattern, options?: ReceivedOptions): Promise<R>
  /** Of an emulator or an account: a callback was accepted by its receiver, or is within a second. */
  toHaveDeliveredCallback(options?: DeliveredOptions): Promise<R>
  /** Of a task, or of what a status query has answered. */
  toHaveSucceeded(): R
  /** Of a call of the journal: the rule that made the answer, by its id (`a-image.size-area`) or the beginning of it. */
  toBeExplainedBy(rule: RulePattern): R
  /** Of bytes, a URL or a response: a video; with `task`, the one of that task and no other. */
  toBeAVideo(options?: VideoOptions): Promise<R>
  /** Of bytes, a URL or a response: a picture; with `task`, the one of that task and no other. */
  toBeAPicture(options?: PictureOptions): Promise<R>
  /** Of bytes, a URL or a response. */
  toBeAnImage(options?: ImageOptions): Promise<R>
}
