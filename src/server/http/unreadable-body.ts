import type { Body, Operation, Reply, Standing } from '../../core/operation.js'
import type { Refusal } from '../../core/problem.js'

/** The family's answer to a body that an operation cannot even look at; undefined where it can. */
export const unreadableBody = (operation: Operation, body: Body, requestId: string): Reply | undefined => {
  const refuse = (standing: Standing, refusal: Omit<Refusal, 'error'>) =>
    operation.refuse(standing, refusal, requestId)
  switch (body.kind) {
    case 'unreadable':
      return refuse('unreadable', { message: body.detail })
    case 'too-large':
      return refuse('too-large', { message: body.detail ?? largerThan(body.limit) })
    case 'busy':
      return refuse('rate-limited', { message: body.detail, retryAfterSeconds: 1 })
    case 'not-kept':
      return refuse('internal', { message: body.detail })
    case 'unsupported':
      return refuse('unsupported', {
        message: `The request body must be JSON (application/json), found ${body.contentType}`,
      })
    default:
      return undefined
  }
}

const largerThan = (limit: number): string =>
  `The request body is larger than ${limit} bytes; send large media as URLs`
