import { z } from 'zod'
import type { ControlContext } from './context.js'

/** An account's state after an action, as far as a replay needs it instead of what was asked for. */
interface RecordedAs {
  /** When it was done, on the account's clock; default: when the action began. */
  readonly at?: number
  /** What to do instead to get the same result; default: the input. */
  readonly input?: Readonly<Record<string, unknown>>
}

/** A value that is only read, however deep. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T

/** Text that is sent as it comes about, until it is stopped. */
export interface TextStream extends AsyncIterable<string> {
  stop(): void
}

/**
 * Control action: one thing that can be done to a running emulator. Routes of the control API, the client, the published
 * types, the OpenAPI document and docs/control-api.md are made from these declarations.
 */
interface Action<Input extends z.ZodType, Output extends z.ZodType> {
  readonly route: { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: string }
  /** A sentence without a full stop. */
  readonly summary: string
  /** Whether a call on a shared route is for this action; default: every call that those before it do not take. */
  readonly matches?: (query: Readonly<Record<string, unknown>>) => boolean
  /** The content type of an answer that is text; default: lines of JSON. */
  readonly textType?: string
  /** Path parameters, query and body together. */
  readonly input: Input
  /** A document that `run` validates itself, so that its mistakes are reported with their places. */
  readonly document?: () => Promise<z.ZodType>
  /** A request body to show in the documentation; undefined: the action takes none. */
  readonly example?: Readonly<Record<string, unknown>>
  /** The answer. A function, so that the schemas of answers are made only for documents and tests. */
  readonly output: () => Output
  /** What a recording holds of the action; `nothing` where the recording has it in another form. */
  readonly recordedAs?:
    | 'nothing'
    | ((
        result: ReadonlyDeep<z.output<Output>>,
        input: z.output<Input>,
        context: ControlContext,
      ) => RecordedAs | Promise<RecordedAs>)
  /** `key` is the account's; `input` has met its schema. A text may be a stream. @throws ControlError */
  readonly run: (
    context: ControlContext,
    key: string,
    input: z.output<Input>,
  ) => ReadonlyDeep<z.output<Output>> | Promise<ReadonlyDeep<z.output<Output>> | TextStream>
}

/** Declares an action; a function, so that its types are inferred from its schemas. */
export const action = <Input extends z.ZodType, Output extends z.ZodType>(
  declared: Action<Input, Output>,
): Action<Input, Output> => declared

// biome-ignore lint/suspicious/noExplicitAny: a table of actions holds actions of every kind
export type AnyAction = Action<any, any>

/** A published schema: made at first use, and known under its name to the OpenAPI document and the published types. */
export const record = <T extends z.ZodType>(id: string, description: string, make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make().meta({ id, description }) as T
    return made
  }
}

/** The input of actions that take nothing. */
export const nothing = z.strictObject({})

/** The switch of actions that are for one account, and for all of them where it is given, with any text. */
export const all = z.string().optional().describe('any text: every account')

/** A part of a list. */
export const page = {
  limit: z.coerce.number().int().min(1).default(100).describe('maximum number of items'),
  offset: z.coerce.number().int().min(0).default(0).describe('number of items to skip'),
}

/** A list of all that there is. */
export const itemsOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })

/** A page of a list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  itemsOf(item).extend({ total: z.number().describe('number of items on all pages') })

/** A page of a list of limited length. */
export const logOf = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({ evicted: z.number().describe('number of evicted items') })
