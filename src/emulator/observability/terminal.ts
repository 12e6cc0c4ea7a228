import type { Writable } from 'node:stream'

/** The handle of Node below a stream, which no documented method reaches. */
interface HandleOwner {
  readonly isTTY?: boolean
  readonly _handle?: { setBlocking?(isBlocking: boolean): number } | null
}

/**
 * Non-blocking output on a terminal: Node writes to one synchronously, so that a terminal that is stopped (Ctrl-S, a selection with
 * the mouse on some) holds the event loop, and with it every answer and the end. Afterwards lines wait in the stream. Changes nothing for
 * other streams, nor where the platform knows no such writes.
 */
export const unblockTerminal = (stream: Writable): void => {
  const { isTTY, _handle } = stream as HandleOwner
  if (isTTY) _handle?.setBlocking?.(false)
}
