import { requestText } from '../wire.js'

/** What is sent in place of a request, and the answer that says what is wrong with it. */
export interface BrokenRequest {
  readonly name: string
  readonly text: () => string | Buffer
  readonly status: number
  /** Of the error in the answer. */
  readonly code: string
}

const CREATE = 'POST /v1/videos'
const JSON_TYPE = { Authorization: 'Bearer hostile', 'Content-Type': 'application/json' }

const malformed = { status: 400, code: 'malformed_request' } as const
const tooLarge = { status: 431, code: 'headers_too_large' } as const

/** Requests that are not HTTP, or HTTP that tries to be two things. */
export const brokenRequests: readonly BrokenRequest[] = [
  { name: 'bytes of anything', text: () => Buffer.from([0, 1, 2, 3, 255, 254, 13, 10]), ...malformed },
  {
    name: 'the first bytes of TLS',
    text: () => Buffer.from('1603010200010001fc0303', 'hex'),
    status: 400,
    code: 'tls_without_certificate',
  },
  { name: 'HTTP/2', text: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ...malformed },
  { name: 'a method that there is not', text: () => requestText('BREW /v1/videos'), ...malformed },
  {
    name: 'a header without a colon',
    text: () => 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n',
    ...malformed,
  },
  { name: 'a NUL in a header', text: () => requestText('GET /', { 'X-A': 'a\0b' }), ...malformed },
  {
    name: 'a bare line feed in a header',
    text: () => requestText('GET /', { 'X-A': 'a\nX-B: b' }),
    ...malformed,
  },
  { name: 'a header on two lines', text: () => requestText('GET /', { 'X-A': 'a\r\n b\0' }), ...malformed },
  {
    name: 'an empty Host',
    text: () => 'GET /v1/videos/x HTTP/1.1\r\nHost:\r\n\r\n',
    status: 400,
    code: 'host_missing',
  },
  { name: 'no Host', text: () => 'GET /v1/videos/x HTTP/1.1\r\n\r\n', status: 400, code: 'host_missing' },
  {
    name: 'HTTP/2.0 in the request line',
    text: () => requestText('GET /').replace('HTTP/1.1', 'HTTP/2.0'),
    status: 505,
    code: 'http_version_not_supported',
  },
  {
    name: 'two Host headers',
    text: () => requestText('GET /', { Host: 'backlot.test\r\nhost: backlot.test' }),
    status: 400,
    code: 'host_repeated',
  },
  { name: 'a huge header', text: () => requestText('GET /', { 'X-A': 'a'.repeat(100_000) }), ...tooLarge },
  { name: 'a huge URL', text: () => requestText(`GET /${'a'.repeat(100_000)}`), ...tooLarge },
  {
    name: 'many headers',
    text: () =>
      requestText('GET /', Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`X-${at}`, 'a']))),
    ...tooLarge,
  },
  {
    name: 'two lengths',
    text: () => requestText(CREATE, { ...JSON_TYPE, 'Content-Length': '2\r\nContent-Length: 5' }, '{}abc'),
    ...malformed,
  },
  { name: 'a negative length', text: () => requestText(CREATE, { 'Content-Length': -1 }), ...malformed },
  {
    name: 'a length in words',
    text: () => requestText(CREATE, { 'Content-Length': 'two' }, '{}'),
    ...malformed,
  },
  {
    name: 'a length beyond all',
    text: () => requestText(CREATE, { 'Content-Length': '9'.repeat(40) }),
    ...malformed,
  },
  {
    name: 'a length and chunks',
    text: () => requestText(CREATE, { 'Content-Length': 2, 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
    ...malformed,
  },
  {
    name: 'chunks that are none',
    text: () =>
      requestText(CREATE, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, 'zz\r\n{}\r\n0\r\n\r\n'),
    ...malformed,
  },
  {
    name: 'a chunk of a negative size',
    text: () => requestText(CREATE, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, '-5\r\n{}\r\n'),
    ...malformed,
  },
  {
    name: 'chunks under another name',
    text: () => requestText(CREATE, { 'Transfer-Encoding': 'xchunked' }, '0\r\n\r\n'),
    ...malformed,
  },
  {
    name: 'chunks twice',
    text: () => requestText(CREATE, { 'Transfer-Encoding': 'chunked, identity' }, '0\r\n\r\n'),
    ...malformed,
  },
  {
    name: 'a chunk with a long extension',
    text: () =>
      requestText(
        CREATE,
        { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
        `2;${'a'.repeat(100_000)}\r\n{}\r\n`,
      ),
    status: 413,
    code: 'chunk_extensions_too_large',
  },
  { name: 'a tunnel', text: () => requestText('CONNECT example.org:443'), status: 405, code: 'no_tunnel' },
  {
    name: 'an expectation that the server does not meet',
    text: () => requestText(CREATE, { Expect: 'the-impossible' }),
    status: 417,
    code: 'expectation_not_met',
  },
]
