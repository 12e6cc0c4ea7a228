import type { MediaFormat, Probe } from '../media/input.js'
import type { MediaSpec } from '../media/spec.js'

/** Route: a method and a path pattern. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
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
  /** By the first bytes; undefined: they are of no known format. */
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
  /** `text` is what was sent; undefined where it was long, or a form. */
  | { readonly kind: 'unreadable'; readonly detail: string; readonly text?: string }
  /** `detail` is a sentence without a full stop; undefined where the body is JSON. */
  | { readonly kind: 'too-large'; readonly limit: number; readonly detail?: string }
  /** As many uploads are being read as the settings allow. */
  | { readonly kind: 'busy'; readonly detail: string }
  /** The emulator could not keep what was sent. */
  | { readonly kind: 'not-kept'; readonly detail: string }
  | { readonly kind: 'unsupported'; readonly contentType: string }

/** A request as data. */
export interface Call {
  readonly method: string
  readonly path: string
  /** By their names in lower case. Undefined: unknown. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
}

/** Id of the task that a path names, as `{task_id}` or `{id}`; undefined: it names none. */
export const taskIdIn = ({ task_id, id }: Call['params']): string | undefined => task_id ?? id

/** The JSON of a body; undefined: it is none. */
export const jsonOf = (body: Body): unknown => (body.kind === 'json' ? body.value : undefined)

/** The model that a JSON body names; undefined: it names none. */
export const modelIn = (body: Body): string | undefined => {
  const model = (jsonOf(body) as { model?: unknown } | null | undefined)?.model
  return typeof model === 'string' ? model : undefined
}

/** Reply as data, before it is written. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** What is written as JSON. */
  readonly body: unknown
  /** Text that is written in place of JSON; its Content-Type is in `headers`. Undefined for a JSON body. */
  readonly text?: string
  /** A result whose bytes are sent in place of the body; undefined where the body is the answer. */
  readonly result?: MediaSpec
}
