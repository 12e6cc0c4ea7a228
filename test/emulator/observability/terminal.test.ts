import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { unblockTerminal } from '../../../src/emulator/observability/terminal.js'

/** A stream with what Node has below a stream of its own. */
const streamWith = (own: object) => Object.assign(new PassThrough(), own)

test.each([
  ['a terminal', true, [[false]]],
  ['a pipe', undefined, []],
])('%s is written to without blocking: only where it is a terminal', (_, isTTY, calls) => {
  const setBlocking = vi.fn()
  unblockTerminal(streamWith({ isTTY, _handle: { setBlocking } }))
  expect(setBlocking.mock.calls).toEqual(calls)
})

test.each([
  ['no handle', {}],
  ['a handle that is closed', { _handle: null }],
  ['a handle without setBlocking', { _handle: {} }],
])('a terminal with %s keeps what it is, and goes on', (_, own) => {
  const stream = streamWith({ isTTY: true, ...own })
  unblockTerminal(stream)
  stream.write('a line')
  expect(String(stream.read())).toBe('a line')
})
