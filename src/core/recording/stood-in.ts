import type { BytesOf } from './call-of.js'
import type { Line, Placed } from './recording.js'

/** Whether a recording names a medium whose bytes are not at hand, so that what is drawn from it looks otherwise. */
export const areStoodIn = (lines: readonly Placed[], bytesOf: BytesOf): boolean =>
  lines.some(({ line }) => hashesOf(line).some((sha256) => bytesOf(sha256) === undefined))

const hashesOf = (line: Line): string[] => {
  if (line.kind !== 'call') return []
  const { media = [], form } = line.request
  return [
    ...media.flatMap((medium) => ('sha256' in medium ? [medium.sha256] : [])),
    ...(form?.files ?? []).map(({ sha256 }) => sha256),
  ]
}
