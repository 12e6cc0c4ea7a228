import type { z } from 'zod'
import type { Emulator } from '../emulator.js'

/** What actions act on: the emulator without the parts that are built from them. */
export type ControlContext = Omit<Emulator, 'app'>

/**
 * One thing that can be done to a running emulator. The control API, the package and the command line all do it
 * through here, so that none of them can do more or other than the rest.
 */
export interface Action<Input extends z.ZodType, Out> {
  readonly route: { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: string }
  /** Whether a call on a route that it shares is its; left out where it is, and those before it have not taken it. */
  readonly claims?: (query: Readonly<Record<string, unknown>>) => boolean
  /** The content type of an answer that is text; left out: lines of JSON. */
  readonly textType?: string
  /** Path parameters, query and body together. */
  readonly input: Input
  /** `key` is the account's; `input` has met its schema. @throws ControlError for what cannot be done */
  readonly run: (emulator: ControlContext, key: string, input: z.output<Input>) => Promise<Out>
}

/** Declares an action; a function so that its input type is read off its schema. */
export const action = <Input extends z.ZodType, Out>(declared: Action<Input, Out>): Action<Input, Out> =>
  declared

// biome-ignore lint/suspicious/noExplicitAny: a table of actions holds actions of every kind
export type AnyAction = Action<any, any>
