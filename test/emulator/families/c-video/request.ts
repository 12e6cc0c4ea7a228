import { unifiedVideo } from '../../../../src/emulator/families/c-video/index.js'
import type { Role } from '../../../../src/emulator/families/shared/schema.js'
import { contextWith, create, type TestContext } from '../context.js'

export const STANDARD = 'videoa-2-0-260128'
export const FAST = 'videoa-2-0-fast-260128'

export const text = (words = 'A paper boat sails down a rainy street') => ({ type: 'text', text: words })

/** A public URL on a host that is not read; a number tells one from another. */
export const url = (number = 1): string => `https://media.test/${number}`

export const item = (type: Role, address = url()) => ({ type, url: address })

export const several = (count: number, type: Role) =>
  Array.from({ length: count }, (_, index) => item(type, url(index + 1)))

/** A request that is accepted, with changes. */
export const request = (change: Record<string, unknown> = {}) => ({
  model: STANDARD,
  media: [text()],
  ...change,
})

/** What a create says, in the parts that tests look at. */
export const answer = (body: unknown, context: TestContext = contextWith()) => {
  const decision = create(unifiedVideo, body, context)
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
