import type { Reply } from '../core/model/call.js'

/** Whether answers of a status have no body (RFC 9110, 15.3.5 and 15.4.5). */
export const isBodiless = (status: number): boolean => status === 204 || status === 304

/** What a reply without a body has in the place of one: not even headers that describe it. */
export const withoutBody = {
  body: undefined,
  text: '',
  without: ['content-type', 'content-length'],
} as const satisfies Partial<Reply>
