import type { Response } from 'express'
import { randomRequestId } from '../http/request-id.js'

/** What a page is told that asks whether it may read a result with headers of its own, such as Range (gap X9). */
export const sendPreflight = (response: Response): void => {
  response
    .status(204)
    .set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      // The star does not stand for Authorization, which clients send that put it on everything.
      'Access-Control-Allow-Headers': '*, Authorization',
      'Access-Control-Max-Age': '600',
      'X-Request-Id': randomRequestId(),
    })
    .end()
}
