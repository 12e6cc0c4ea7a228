import { expect, test } from 'vitest'
import { terminalText } from '../../../src/resilience/coverage/render.js'
import { mergeReports, readReport } from '../../../src/resilience/coverage/report.js'
import { createHitCounter } from '../../../src/resilience/coverage/spec.js'

const hitsOf = (...gaps: readonly string[]) => {
  const { add, hits } = createHitCounter()
  for (const gap of gaps) add('gaps', gap)
  return hits
}

test('what the service was seen to answer stands in place of the grade, and comes last', () => {
  const seen = {
    A1: { verdict: 'same' as const, on: '2026-11-28' },
    Z3: { verdict: 'differs' as const, on: '2026-11-27' },
  }
  const report = mergeReports([
    { hits: hitsOf('A1', 'Z3', 'X7'), tests: [], seen },
    { hits: hitsOf('X7'), tests: [] },
  ])
  expect(report.relied.map((row) => [row.gap, row.count, row.seen])).toEqual([
    ['Z3', 1, seen.Z3],
    ['X7', 2, undefined],
    ['A1', 1, seen.A1],
  ])
  const lines = terminalText(report).split('\n')
  expect(lines.filter((line) => /^ {2}(A1|X7|Z3) /.test(line))).toEqual([
    '  Z3   assumed, differs on 2026-11-27 Images and balance (once)',
    '  X7   seen                           Unknown path (2 times)',
    '  A1   seen on 2026-11-28             Codes (once)',
  ])
  // A report that is merged later has it too.
  expect(mergeReports([readReport(JSON.stringify(report), 'report.json')])).toEqual(report)
})

test('without facts a report is as before', () => {
  const report = mergeReports([{ hits: hitsOf('A1'), tests: [] }])
  expect('seen' in report).toBe(false)
  expect(report.relied.map((row) => 'seen' in row)).toEqual([false])
})
