import fc from 'fast-check'

/** Values that are hard to hold, for any place. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    [],
    {},
    [[]],
    [{}],
    '{0}',
    'asset://{0}',
    'data:image/png;base64,AAAA',
    'http://127.0.0.1:1/x.png',
    'http://[::1',
    '2026-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '9999999999999d',
    '1ms',
    '__proto__',
    '\u0000',
    '\ud800',
    '٣',
    'İ',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.nat().map((length) => 'x'.repeat(length % 3_000)),
)

/** The same as the text of a query or a part of a path. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['{0}', '{1}', '..', '.', '%', '%2e%2e%2f', '%00', '%ff', '%E0%A4%A', '*', '0', '-1', '1e400', 'NaN'],
    ...['null', 'idle', 'next', 'constructor', '__proto__', '1ms', '9999999999d', '1', '2', '999999999999'],
  ),
  oddValue.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
)

// Written by hand rather than by encodeURIComponent alone, which throws at halves of characters.
export const encoded = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '?'))
