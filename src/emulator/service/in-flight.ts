import type { ServerResponse } from 'node:http'
import { DEFAULT_KEY } from '../core/account/account.js'
import { keyOf } from '../core/account/account-id.js'
import type { InFlightCall } from '../core/journal/in-flight.js'
import type { CallUnderWay, FindRoute } from './exchange.js'
import { pathOf } from './receive.js'

/** In-flight requests: the calls that have no journal entry yet, since the emulator, a scenario or the client takes its time. */
export interface InFlightCalls {
  /** The calls of an account, the oldest first. Default: of all accounts. */
  list(accountKey?: string): InFlightCall[]
}

/** @param calls to which the pipeline adds each call that begins, and from which it deletes those that have an entry */
export const createInFlightCalls = (
  calls: ReadonlySet<CallUnderWay>,
  findRoute: FindRoute,
): InFlightCalls => {
  const callOf = ({ request, response, startedAt, exchange }: CallUnderWay): InFlightCall => {
    const { method = '', headers } = request
    const path = pathOf(request)
    const operation = exchange?.operation ?? findRoute(method, path, NO_QUERY)?.operations[0]
    return {
      accountKey: exchange?.accountKey ?? keyOf(headers.authorization) ?? DEFAULT_KEY,
      operation: operation?.id,
      method,
      path,
      task: exchange?.decision?.meta.task,
      waitsFor: waitOf(exchange, response),
      ms: performance.now() - startedAt,
    }
  }

  return {
    list: (accountKey) =>
      [...calls].map(callOf).filter((call) => accountKey === undefined || call.accountKey === accountKey),
  }
}

// Of calls whose query matters, none is received for long: they have no body.
const NO_QUERY = new URLSearchParams()

const waitOf = (exchange: CallUnderWay['exchange'], response: ServerResponse): InFlightCall['waitsFor'] => {
  if (exchange === undefined) return 'body'
  const { prepared, media, decision, match } = exchange
  if (decision === undefined) return prepared?.mediaRefs?.length && media === undefined ? 'media' : 'decision'
  if (response.headersSent) return 'sending'
  if (match?.step?.effects.transport !== undefined) return 'scenario'
  return decision.reply.result === undefined ? 'scenario' : 'rendering'
}
