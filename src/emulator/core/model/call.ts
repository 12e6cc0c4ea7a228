import type { MediaFormat, Probe } from '../media/input.js'
import type { FileSpec } from '../media/spec.js'

/** Route: a method and a path pattern. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Literal segments and `{name}` for the ones that are filled in: `/v1/videos/{task_id}`. */
  readonly path: string
}

/** A file of a multipart form. Its bytes are in the blob store, where they stay if a change keeps them. */
export interface FormFile {
  readonly field: string
  /** As it was sent, folders included. */
  readonly name: string
  readonly bytes: number
  /** SHA-256 of the bytes, in hex. */
  readonly blob: string
  /** By the first bytes, or undefined where they are of no known format. */
  readonly format?: MediaFormat
  readonly probe: Probe
}

/** Request body, or the reason why it was not read. */
export type Body =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json'
      readonly value: unknown
      /**
       * Media that were taken out of a large body, as bytes or as the sentence that says why they are none; core/media/input.ts
       * describes the references that replace them. Undefined where nothing was taken out.
       */
      readonly attachments?: readonly (Uint8Array | string)[]
    }
  | {
      readonly kind: 'form'
      readonly fields: Readonly<Record<string, string>>
      readonly files: readonly FormFile[]
    }
  /** Bytes that are passed on as they came. `value` is their JSON; undefined where they are none, or many. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array; readonly value?: unknown }
  /** `text` is what was sent; undefined where it was long, or a form. */
  | { readonly kind: 'unreadable'; readonly detail: string; readonly text?: string }
  /** `detail` is a sentence without a full stop; undefined where the body is JSON. */
  | { readonly kind: 'too-large'; readonly limit: number; readonly detail?: string }
  /** There is no room to read it; `isTooLarge`: there never is. */
  | { readonly kind: 'busy'; readonly detail: string; readonly isTooLarge?: true }
  /** The emulator could not keep what was sent. */
  | { readonly kind: 'not-kept'; readonly detail: string }
  | { readonly kind: 'unsupported'; readonly contentType: string }

/** A request as data. */
export interface Call {
  readonly method: string
  readonly path: string
  /** By their names in lower case. Undefined where they are unknown. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The query as it was sent. Undefined where it is unknown. */
  readonly rawQuery?: string
  readonly body: Body
}

/** Id of the task that a path names, as `{task_id}` or `{id}`, or undefined where it names none. */
export const taskIdIn = ({ task_id, id }: Call['params']): string | undefined => task_id ?? id

/** The JSON of a body, or undefined where it is none. */
export const jsonOf = (body: Body): unknown =>
  body.kind === 'json' || body.kind === 'raw' ? body.value : undefined

/** The model that a JSON body names, or undefined where it names none. */
export const modelIn = (body: Body): string | undefined => {
  const model = (jsonOf(body) as { model?: unknown } | null | undefined)?.model
  return typeof model === 'string' ? model : undefined
}

/** Reply as data, before it is written. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Values of the header Set-Cookie, of which an answer can have several. Default: none. */
  readonly cookies?: readonly string[]
  /** Names, in lower case, of headers that are not written although every answer has them. Default: none. */
  readonly without?: readonly string[]
  readonly body: unknown
  /** Text that is written in place of JSON; its Content-Type is in `headers`. Undefined for a JSON body. */
  readonly text?: string
  /** Bytes that are written in place of JSON; their Content-Type is in `headers`. Undefined for any other body. */
  readonly bytes?: Uint8Array
  /** A result whose bytes are sent in place of the body; undefined where the body is the answer. */
  readonly result?: FileSpec
  /** A body that another host still sends. Undefined where all of it is here. */
  readonly stream?: ReplyStream
}

/** Body of a reply that another host still sends. It is read once, in one of the two ways. */
export interface ReplyStream {
  /** Its parts as they come. Throws where the host breaks it off; ends the call to the host where it is not read to its end. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** The reply with its whole body, or the one in its place, `isInstead`, where the host breaks it off or sends too much. */
  readonly whole: () => Promise<{ readonly reply: Reply; readonly isInstead: boolean }>
}

/** Wire format of a refusal or a failure: one row of a family's error table. */
export interface ErrorSpec {
  /** The HTTP status when a call is refused with it; for an error that only a task can end with, the nearest one. */
  readonly status: number
  /** The word in `code`; undefined where it is the name of the row. */
  readonly code?: string
  /** The word in `type`, in families whose errors have one. */
  readonly type?: string
  /** The number that F adds to its messages. */
  readonly number?: number
  /** Default message, a sentence without a full stop. */
  readonly message: string
  /** The service's own words, to which nothing is added; undefined where the words are ours. */
  readonly isVerbatim?: true
  /** The message is one of a profile: it stands in answers that name no field. */
  readonly isOfProfile?: true
  /** The model of the request ends the message, where it has one. */
  readonly namesModel?: true
}

/** Details of a refusal: everything that a caller needs to correct the request. */
export interface RefusalDetails {
  /** The path of the field in the body or query: `content[0].image_url.url`. */
  readonly field?: string
  readonly found?: unknown
  /** What may stand there, in words: `1 to 6`. */
  readonly allowed?: string
  /** A sentence without a full stop; undefined where the error's own says enough. */
  readonly message?: string
  /** Whole seconds, for 429: when the caller may try again. */
  readonly retryAfterSeconds?: number
  /** The quota of the emulator that was met; undefined where it is the service that refuses. */
  readonly bound?: string
}

/** Refusal of a call by a name of the family's error table. */
export interface Refusal<E extends string = string> extends RefusalDetails {
  readonly error: E
}

/** A refusal with the rule behind it, as the journal keeps it. */
export interface RefusedBy<E extends string = string> extends Refusal<E> {
  /** `a-image.size-area`, or `a-image.schema.parameters.n` for what the schema asks. */
  readonly rule: string
  /** The place in the specification or in the table of what it leaves open. */
  readonly place: string
}
