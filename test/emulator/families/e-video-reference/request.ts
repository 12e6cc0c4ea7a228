import { referenceVideo } from '../../../../src/emulator/families/e-video-reference/index.js'
import { contextWith, create, type TestContext } from '../context.js'

/** A public URL on a host that is not read; a number tells one from another. */
export const url = (number = 1): string => `https://media.test/${number}`

export const character = (...images: string[]) => ({ type: 'character', image: images })

/** A request that is accepted, with changes. */
export const request = (change: Record<string, unknown> = {}) => ({
  model: 'beta2.7-r2v',
  subject_reference: [character(url())],
  ...change,
})

/** What a create says, in the parts that tests look at. */
export const answer = (body: unknown, context: TestContext = contextWith()) => {
  const decision = create(referenceVideo, body, context)
  const { code, message } = decision.reply.body as { code?: string; message?: string }
  return {
    status: decision.reply.status,
    code,
    message,
    rules: decision.meta.refusedBy.map(({ rule }) => rule),
    notes: decision.meta,
    order:
      decision.meta.task === undefined ? undefined : context.account.tasks.get(decision.meta.task)?.params,
  }
}
