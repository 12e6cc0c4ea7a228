import { expect, test } from 'vitest'
import type { Point } from '../../../src/resilience/coverage/points.js'
import { terminalText } from '../../../src/resilience/coverage/render.js'
import { reportOf } from '../../../src/resilience/coverage/report.js'
import { createHitCounter } from '../../../src/resilience/coverage/spec.js'

const reportWith = (count: number) => ({
  ...reportOf(createHitCounter().hits, []),
  uncovered: Array.from({ length: count }, (_, nth): Point => {
    const item = `b-video-task.${nth}`
    return { kind: 'rules', item, missing: `No call breaks ${item}.`, remedy: `await break(${nth})` }
  }),
})

test.each([
  [5, 5, undefined],
  [6, 5, '… and 1 more (--all)'],
])('of %i points of a kind, %i are printed', (count, shown, rest) => {
  const text = terminalText(reportWith(count))
  expect(text.match(/^ {4}No call breaks /gm)).toHaveLength(shown)
  expect(text.match(/… and .*/)?.[0]).toBe(rest)
  expect(terminalText(reportWith(count), true).match(/^ {4}No call breaks /gm)).toHaveLength(count)
})
