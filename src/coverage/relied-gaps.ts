import type { JournalEntry } from '../core/journal/entry.js'
import type { Callback } from '../core/model/account.js'
import type { CoveredOperation } from './spec.js'

/** Gaps of the specification that every accepted call of an operation relies on: what its answer looks like. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  ...{ 'a-image.create': ['A2'], 'a2-image.create': ['A2', 'A6'] },
  ...{ 'b-video-task.create': ['B1'], 'b-video-task.read': ['B3'] },
  ...{ 'b-video-task.list': ['B5'], 'b-video-task.cancel': ['B6'] },
  ...{ 'c-video.create': ['C1', 'C2'], 'c-video.read': ['C3', 'C4'] },
  ...{ 'd-assets.upload': ['D1'], 'd-assets.resolve': ['D3'] },
  ...{ 'e-video-reference.create': ['E6'], 'e-video-reference.read': ['E7', 'Z27'] },
  ...{ 'f-video-v2.create': ['F1'], 'f-video-v2.read': ['F2', 'F3'], 'f-video-v2.cancel': ['F17'] },
  ...{ 'results.download': ['X9'] },
}

/** Those that every refusal of a family relies on: its codes. */
const refused: Readonly<Record<string, readonly string[]>> = {
  ...{ 'a-image': ['A1'], 'a2-image': ['A1'], 'b-video-task': ['B8'], 'c-video': ['C6'] },
  ...{ 'd-assets': ['D6'], 'e-video-reference': ['C6'], 'f-video-v2': ['F14'] },
}

/** Gaps of the specification that the answer to a call rests on. */
export const gapsBehind = ({ id, family }: CoveredOperation, entry: JournalEntry): readonly string[] => {
  if (entry.played?.step?.effects.answer !== undefined) return []
  if (entry.status < 400) return accepted[id] ?? []
  const [first] = entry.refusedBy
  if (first === undefined) return []
  return [...new Set([...(refused[family] ?? []), ...gapsAt(first.place)])]
}

/** Gaps that a reference names: `docs/gaps.md#x6` is X6. */
const gapsAt = (place: string): string[] =>
  [...place.matchAll(/docs\/gaps\.md#([a-z]+\d+)/g)].map(([, id = '']) => id.toUpperCase())

const reported: Readonly<Record<string, readonly string[]>> = {
  'b-video-task': ['B17', 'N5'],
  'f-video-v2': ['F7', 'F10', 'Z16'],
}

/** Gaps of the specification that a message to a receiver rests on. */
export const gapsBehindCallback = ({ kind, task }: Callback): readonly string[] =>
  kind === 'challenge' ? ['F8'] : (reported[task.family] ?? [])
