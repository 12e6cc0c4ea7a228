import { z } from 'zod'

const text = z.string().min(1)

/** How an error of a family looks on the wire, and where its words are. */
interface ErrorShape {
  readonly schema: z.ZodType
  /** Where the code and the message stand. */
  readonly code: readonly string[]
  readonly message: readonly string[]
}

// Families A and A2 (§Errors): flat.
const flat: ErrorShape = {
  schema: z.strictObject({ request_id: text, code: text, message: text }),
  code: ['code'],
  message: ['message'],
}

// Family B (defaults B): all under `error`.
const nested: ErrorShape = {
  schema: z.strictObject({
    error: z.strictObject({ code: text, message: text, param: z.string(), type: text }),
  }),
  code: ['error', 'code'],
  message: ['error', 'message'],
}

// Families C and E (defaults C): both shapes that clients read.
const both: ErrorShape = {
  schema: z.strictObject({
    code: text,
    message: text,
    data: z.null(),
    error: z.strictObject({ message: text, type: text, code: text, param: z.null() }),
  }),
  code: ['code'],
  message: ['message'],
}

// Family F (defaults F): typed, with the HTTP status as text.
const typed: ErrorShape = {
  schema: z.strictObject({
    type: z.literal('error'),
    error: z.strictObject({ type: text, message: text, http_code: z.string().regex(/^[45]\d\d$/) }),
    request_id: text,
  }),
  code: ['error', 'type'],
  message: ['error', 'message'],
}

/** By the id of the family. */
export const errorShapes: Readonly<Record<string, ErrorShape>> = {
  'a-image': flat,
  'a2-image': flat,
  'b-video-task': nested,
  'c-video': both,
  'e-video-reference': both,
  'f-video-v2': typed,
  // That of examples/family.
  'acme-sketch': {
    schema: z.strictObject({ error: text, message: text }),
    code: ['error'],
    message: ['message'],
  },
}

export const shapeOf = (familyId: string): ErrorShape => {
  const shape = errorShapes[familyId]
  if (shape === undefined) throw new Error(`test/contract/error-shapes.ts has no shape for ${familyId}`)
  return shape
}
