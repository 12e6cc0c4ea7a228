import fc from 'fast-check'
import { controlRequest } from './control.js'
import type { FuzzRequest } from './request.js'
import { serviceRequest } from './service.js'
import { upload } from './upload.js'

const jwt = (payload: string): string => `e30.${Buffer.from(payload).toString('base64url')}.x`

// Names and values as a client's library lets them through; what it does not is for the part "hostile".
const visible = fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, ''))

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .record(
    {
      Host: fc.constantFrom(
        'localhost',
        '',
        ':',
        '[::1',
        'a b',
        'x'.repeat(500),
        '127.0.0.1:99999',
        'evil.example',
      ),
      Authorization: fc.oneof(
        visible,
        fc.constantFrom(
          ...['Bearer', 'Basic AAAA', 'invalid', 'no-balance', 'rate-limited', 'no-agreement', '__proto__'],
          ...[jwt('{"exp":1e400}'), jwt('{"exp":-1}'), jwt('null'), jwt('[1'), jwt('{"exp":"1"}')],
        ),
      ),
      Origin: fc.constantFrom('null', 'http://localhost', 'http://evil.example', '::'),
      'Content-Type': fc.oneof(
        visible,
        fc.constantFrom('text/plain; charset=utf-7', 'application/json; charset=x'),
      ),
      'Content-Encoding': fc.constantFrom('gzip', 'br', 'identity', 'x'),
      'X-Backlot-Scenario': fc.constantFrom('nothing', '../../package.json', '__proto__', ''),
      'X-Backlot-Token': visible,
      'X-Backlot-Delivery-Id': visible,
      Range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,1-1', 'x'),
      'If-None-Match': visible,
      Cookie: visible,
      'X-Forwarded-For': visible,
    },
    { requiredKeys: [] },
  )
  .filter((headers) => Object.keys(headers).length <= 5)

/** A request of any kind, now and then with headers that are as odd as its body. */
const request: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.oneof(
      { weight: 22, arbitrary: serviceRequest },
      { weight: 7, arbitrary: controlRequest },
      { weight: 1, arbitrary: upload },
    ),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Record<string, string>>({}) },
      { weight: 1, arbitrary: oddHeaders },
    ),
  )
  .map(([drawn, headers]) => ({ headers: {}, ...drawn, ...('headers' in drawn ? {} : { headers }) }))

/** The same requests for the same seed, a batch at a time. */
export const drawRequests = (seed: number, count: number): FuzzRequest[] =>
  fc.sample(request, { seed, numRuns: count })
