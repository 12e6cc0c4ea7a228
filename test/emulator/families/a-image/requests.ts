import type { Decision } from '../../../../src/emulator/core/contract.js'
import { image as images } from '../../../../src/emulator/families/a-image/index.js'
import { type ContextParts, contextWith, create, type TestContext } from '../context.js'

export type Content = readonly Record<string, unknown>[]

export const aText: Content = [{ text: 'A cat on a roof' }]
export const anImage = 'https://pictures.test/cat.png'

/** A request of family A: text alone, unless there is other content. */
export const request = (parameters?: unknown, content: unknown = aText) => ({
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content }] },
  ...(parameters === undefined ? {} : { parameters }),
})

export const edit = (parameters?: unknown) => request(parameters, [{ image: anImage }, ...aText])

export const generate = (body: unknown, context: TestContext | ContextParts = {}): Decision =>
  create(images, body, 'random' in context ? context : contextWith(context))

export interface Answer {
  readonly request_id: string
  readonly output: {
    readonly choices: readonly {
      readonly finish_reason: string
      readonly message: { readonly role: string; readonly content: readonly { readonly image: string }[] }
    }[]
  }
  readonly usage: Readonly<Record<string, unknown>>
}

/** The answer to an accepted request. */
export const answerTo = (body: unknown, context: TestContext | ContextParts = {}): Answer => {
  const { reply } = generate(body, context)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return reply.body as Answer
}
