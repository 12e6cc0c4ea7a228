import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { htmlOf, markdownOf } from '../../../src/resilience/reports/formats.js'
import {
  type Accepted,
  compareWith,
  DEFAULT_FAIL_ON,
  parseAccepted,
  updateAccepted,
} from '../../../src/resilience/sweep/accepted.js'
import { annotationLines, documentOf, junitText, terminalText } from '../../../src/resilience/sweep/render.js'
import {
  type Cell,
  isComplete,
  mergeReports,
  parseReport,
  type Report,
  verdictText,
} from '../../../src/resilience/sweep/report.js'

const cell = (scenario: string, facts: Partial<Cell> = {}): Cell => ({
  ...{ scenario, description: `What ${scenario} does.`, about: 'create', survivable: true, tests: 'pass' },
  ...{ seen: [], verdict: 'survived', files: [], leftAlone: 0, durationMs: 1_500 },
  again: [`backlot exec --scenario ${scenario} --seed 1 -- npm test`, `backlot replay ${scenario}.jsonl`],
  ...facts,
})

const good = cell('good')
const paidTwice = cell('twice', {
  verdict: 'survived-but',
  seen: [
    {
      ...{ kind: 'paid-twice', count: 2, price: 0.8, sameIdempotencyKey: true },
      examples: ['b-video-task.create cgt-1 "A boat & <b>"', 'b-video-task.create cgt-2'],
    },
    { kind: 'retried', count: 3 },
  ],
  files: ['test/<a>&b.test.js'],
})
const polite = cell('polite', {
  tests: 'fail',
  verdict: 'refused-cleanly',
  survivable: false,
  about: 'money',
})
const far = cell('far', { tests: null, verdict: 'not-reached', again: [], durationMs: 0 })
const late = cell('late', { tests: null, verdict: 'untested', why: 'budget', again: [] })

const report = (cells: readonly Cell[], facts: Partial<Report> = {}): Report => ({
  ...{ kind: 'backlot-sweep', format: 1, version: '0.1.0', command: ['npm', 'test'], seed: 1 },
  scenarios: cells.map(({ scenario }) => scenario),
  baseline: { tests: 'pass', durationMs: 2_000, calls: 12, tasks: 1, leftAlone: 0 },
  cells: [...cells],
  ...facts,
})

test('the verdict on the client without a scenario comes before the matrix', () => {
  const findings = [{ kind: 'polled-on' as const, count: 2, examples: ['cgt-1 was queried 5 times.'] }]
  const { baseline } = report([good])
  const text = (given: Report) =>
    terminalText(given, compareWith(given.cells, [], DEFAULT_FAIL_ON, TODAY), (_, text) => text)
  const told = text(report([good], { baseline: { ...baseline, findings } }))
  expect(told).toContain(
    'Without a scenario (docs/verdict.md):\n  polled-on 2\n    cgt-1 was queried 5 times.\n',
  )
  expect(text(report([good], { baseline: { ...baseline, findings: [] } }))).not.toContain(
    'Without a scenario',
  )
})

const all = report([good, paidTwice, polite, far])
const TODAY = '2026-11-22'
const judged = compareWith(all.cells, [], DEFAULT_FAIL_ON, TODAY)

describe('accepted verdicts', () => {
  const change = (verdict: Accepted['verdict'], now: Partial<Cell>, more: object = {}) => {
    const one = cell('x', now)
    const { worse, better } = compareWith(
      [one],
      [{ scenario: 'x', verdict, ...more }],
      DEFAULT_FAIL_ON,
      TODAY,
    )
    return worse.length > 0 ? 'worse' : better.length > 0 ? 'better' : 'same'
  }
  const seen: Cell['seen'] = [{ kind: 'lost', count: 1 }]

  test.each<[Accepted['verdict'], Cell['verdict'], string]>([
    ['survived', 'survived', 'same'],
    ['survived', 'refused-cleanly', 'worse'],
    ['refused-cleanly', 'failed', 'worse'],
    ['failed', 'survived-but', 'worse'],
    ['survived-but', 'crashed', 'worse'],
    ['crashed', 'hung', 'worse'],
    ['hung', 'failed', 'better'],
    ['survived-but', 'survived', 'better'],
    ['survived', 'not-reached', 'same'],
    ['survived', 'untested', 'same'],
  ])('%s was accepted and is %s: %s', (before, now, expected) =>
    expect(change(before, { verdict: now })).toBe(expected),
  )

  test('a new entry of the ledger is worse, one that is gone better', () => {
    expect(change('failed', { verdict: 'failed', seen })).toBe('worse')
    expect(change('failed', { verdict: 'failed', seen }, { seen: ['lost'] })).toBe('same')
    expect(change('failed', { verdict: 'failed' }, { seen: ['lost'] })).toBe('better')
    // Tests that pass again while the client pays twice are no improvement.
    expect(change('crashed', { verdict: 'survived-but', seen: [{ kind: 'paid-twice', count: 1 }] })).toBe(
      'worse',
    )
    expect(change('crashed', { verdict: 'failed', seen }, { seen: ['lost'] })).toBe('better')
  })

  test('a retry is no entry, in a run or among what is accepted', () => {
    expect(change('survived', { seen: [{ kind: 'retried', count: 9 }] })).toBe('same')
    expect(change('survived', {}, { seen: ['retried'] })).toBe('same')
  })

  test('what is worse says what was accepted', () => {
    const says = (more: object) =>
      compareWith(
        [cell('x', { verdict: 'hung' })],
        [{ scenario: 'x', verdict: 'survived-but', seen: ['lost'], ...more }],
        DEFAULT_FAIL_ON,
        TODAY,
      ).worse.map((one) => one.says)
    expect(says({})).toEqual(['backlot.sweep.json accepts survived-but, lost'])
    expect(says({ until: '2026-11-21' })).toEqual([
      '--fail-on names hung, and what was accepted of it was accepted until 2026-11-21',
    ])
  })

  test('a scenario is accepted once', () => {
    const accepted = ['x', 'y', 'x'].map((scenario) => ({ scenario, verdict: 'survived' }))
    expect(() => parseAccepted(JSON.stringify({ accepted }))).toThrow(
      'accepted[2].scenario must be a scenario that no entry before has',
    )
  })

  test.each<[string, Partial<Cell>, number]>([
    ...(['paid-twice', 'lost', 'kept-damaged-file'] as const).map((kind): [string, Partial<Cell>, number] => [
      kind,
      { verdict: 'survived-but', seen: [{ kind, count: 1 }] },
      1,
    ]),
    ['hung', { verdict: 'hung' }, 1],
    ['crashed', { verdict: 'crashed' }, 1],
    ['failed', { verdict: 'failed' }, 0],
    ['abandoned', { verdict: 'survived-but', seen: [{ kind: 'abandoned', count: 1 }] }, 0],
    ['flaky', { flaky: ['survived', 'failed'] }, 0],
  ])('the threshold of a sweep that names none, and %s', (_, facts, worse) =>
    expect(compareWith([cell('x', facts)], [], DEFAULT_FAIL_ON, TODAY).worse).toHaveLength(worse),
  )

  test('after its last day the threshold counts', () => {
    const now: Partial<Cell> = { verdict: 'survived-but', seen }
    expect(change('survived-but', now, { seen: ['lost'], until: TODAY })).toBe('same')
    expect(change('survived-but', now, { seen: ['lost'], until: '2026-11-21' })).toBe('worse')
    expect(change('failed', { verdict: 'failed' }, { until: '2026-11-21' })).toBe('same')
  })

  test('without an accepted verdict the threshold counts', () => {
    expect(judged.worse.map(({ cell }) => cell.scenario)).toEqual(['twice'])
    expect(compareWith(all.cells, [], ['hung'], TODAY).worse).toEqual([])
    expect(compareWith([cell('x', { verdict: 'hung' })], [], ['hung'], TODAY).worse).toHaveLength(1)
    expect(
      compareWith([cell('x', { flaky: ['survived', 'failed'] })], [], ['flaky'], TODAY).worse,
    ).toHaveLength(1)
  })

  test('an update takes in what was judged, keeps the rest, and keeps reasons of what is the same', () => {
    const before = [
      { scenario: 'elsewhere', verdict: 'failed' as const },
      { scenario: 'good', verdict: 'failed' as const, why: 'not any more' },
      { scenario: 'twice', verdict: 'survived-but' as const, seen: ['paid-twice' as const], why: 'for now' },
    ]
    expect(updateAccepted(before, all.cells, TODAY)).toEqual([
      { scenario: 'elsewhere', verdict: 'failed' },
      { scenario: 'good', verdict: 'survived' },
      { scenario: 'polite', verdict: 'refused-cleanly' },
      { scenario: 'twice', verdict: 'survived-but', seen: ['paid-twice'], why: 'for now' },
    ])
  })

  test('an update accepts anew what was accepted until a day that is over', () => {
    const entry = { scenario: 'twice', verdict: 'survived-but' as const, seen: ['paid-twice' as const] }
    const updated = (until: string) => updateAccepted([{ ...entry, until }], [paidTwice], TODAY)
    expect(updated('2026-11-21')).toEqual([entry])
    expect(updated(TODAY)).toEqual([{ ...entry, until: TODAY }])
  })
})

describe('parts', () => {
  const scenarios = ['good', 'twice', 'late']
  const first = report([good, late], { scenarios, shard: { index: 1, of: 2 } })
  const second = report([paidTwice], { scenarios, shard: { index: 2, of: 2 } })

  test('are one report', () => {
    const whole = mergeReports([first, second])
    expect(whole.cells).toEqual([good, paidTwice, late])
    expect(whole).not.toHaveProperty('shard')
  })

  test('of a whole set are complete, but for what was not run', () => {
    expect(isComplete(mergeReports([first, second]))).toBe(false)
    expect(isComplete(mergeReports([report([good, cell('late')], { scenarios }), second]))).toBe(true)
    expect(isComplete(report([cell('x', { verdict: 'untested', why: 'no-calls' })]))).toBe(false)
  })

  test('that are missing are said to be', () => {
    const { cells } = mergeReports([first])
    expect(cells[1]).toMatchObject({ scenario: 'twice', verdict: 'untested', why: 'missing-part' })
    expect(isComplete(mergeReports([first]))).toBe(false)
  })

  test('judge what another part has not', () =>
    expect(mergeReports([first, second, report([cell('late')], { scenarios })]).cells[2]?.verdict).toBe(
      'survived',
    ))

  test('judge what another part has not, whatever the verdict', () => {
    const failed = cell('late', { verdict: 'failed' })
    expect(mergeReports([first, second, report([failed], { scenarios })]).cells[2]).toBe(failed)
  })

  test('judge what another part could not reach', () => {
    const [unmet, failed] = [cell('late', { verdict: 'not-reached' }), cell('late', { verdict: 'failed' })]
    expect(mergeReports([report([unmet], { scenarios }), report([failed], { scenarios })]).cells[2]).toBe(
      failed,
    )
    expect(mergeReports([first, report([unmet], { scenarios })]).cells[2]).toBe(unmet)
  })

  test.each([{ seed: 2 }, { command: ['npm', 'run'] }, { scenarios: ['good'] }])(
    'of another sweep are refused: %j',
    (facts) =>
      expect(() => mergeReports([first, report([good], { scenarios, ...facts })])).toThrow(
        'not of one sweep',
      ),
  )

  test('of a shard are complete when its own scenarios are', () => {
    expect(isComplete(second)).toBe(true)
    expect(isComplete(first)).toBe(false)
  })

  test.each<[string, string, string]>([
    [
      'another format',
      JSON.stringify({ ...first, format: 2 }),
      'p.json is no report of backlot sweep that this version reads: format must be 1, found 2.',
    ],
    [
      'something else',
      '{}',
      'p.json is no report of backlot sweep that this version reads: kind is required',
    ],
    ['no JSON', '<xml>', 'it is not JSON'],
    ['a list', '[]', 'it must be an object'],
    ['half a report', JSON.stringify({ ...first, cells: undefined }), 'cells is required'],
  ])('%s is refused', (_, text, message) => expect(() => parseReport(text, 'p.json')).toThrow(message))

  test('with the address of the schema are read', () =>
    expect(parseReport(JSON.stringify({ $schema: 'x', ...first }), 'p.json')).toMatchObject({ seed: 1 }))
})

test('a verdict says what is behind it', () => {
  expect(verdictText(paidTwice)).toBe(
    'survived, but paid-twice 2 (price 0.8; with one Idempotency-Key, which the service does not know), retried 3',
  )
  expect(verdictText(cell('x', { verdict: 'failed', flaky: ['survived', 'failed'] }))).toBe(
    'failed (flaky: survived, failed)',
  )
})

test('the terminal shows both axes, what is not reached, and the lines that run a cell again', () => {
  const text = terminalText(report([...all.cells, late]), judged, (_, text) => text)
  expect(text).toContain('npm test: 5 scenarios, seed 1.\nBaseline: 2.0 s, 12 calls, 1 task.')
  expect(text).toMatch(/^ {2}twice {3}pass {5}survived, but paid-twice 2/m)
  expect(text).toMatch(/^ {2}polite {2}fail {5}refused cleanly$/m)
  expect(text).toContain('not reached: far')
  expect(text).toContain('  backlot exec --scenario twice --seed 1 -- npm test\n  backlot replay twice.jsonl')
  expect(text).not.toContain('backlot replay good.jsonl')
  expect(text).toContain('This is not everything: some scenarios were not run.')
  expect(text).toContain('worse than --fail-on allows: twice: survived, but paid-twice 2')
})

test('JSON fits its published schema', () => {
  const schema = JSON.parse(readFileSync('schemas/sweep-report.schema.json', 'utf8'))
  const validate = new Ajv({ strict: false }).compile(schema)
  expect(validate(all)).toBe(true)
  expect(validate({ ...all, cells: [{ ...good, verdict: 'fine' }] })).toBe(false)
})

test('JUnit has a case for each scenario: failed where it is worse, skipped where nothing was run', () => {
  const xml = junitText(report([...all.cells, late]), judged)
  expect(xml).toContain('<testsuite name="backlot sweep" tests="5" failures="1" errors="0" skipped="2">')
  expect(xml).toContain('<testcase name="good" classname="backlot.sweep.create" time="1.500"/>')
  expect(xml).toContain('test/&lt;a&gt;&amp;b.test.js')
  expect(xml).toContain('<skipped message="the budget was used up"/>')
})

test('JUnit counts a case that fails without having met its scenario once', () => {
  const cells = [cell('unmet', { verdict: 'not-reached', seen: [{ kind: 'lost', count: 1 }] })]
  const xml = junitText(report(cells), compareWith(cells, [], DEFAULT_FAIL_ON, TODAY))
  expect(xml).toContain('failures="1" errors="0" skipped="0"')
})

test('the page is one file that requests nothing and escapes what it shows', () => {
  const html = htmlOf(documentOf(all, judged))
  expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(|https?:/)
  expect(html).toContain('test/&lt;a&gt;&amp;b.test.js')
  for (const line of [...good.again, ...paidTwice.again]) expect(html).toContain(line)
})

test('Markdown has a row for each cell that was run, and the lines that run one again', () => {
  const text = markdownOf(documentOf(all, judged))
  expect(text).toContain('| good | create | pass,\u00a01.5\u00a0s | – | survived |')
  expect(text).toContain('- far: What far does.')
  expect(text).toContain('backlot replay twice.jsonl')
})

test('Markdown shows names and descriptions as they are written', () => {
  const odd = cell('odd', {
    description: 'Answers with <html> and *nothing* else.',
    ...{ verdict: 'failed', tests: 'fail', files: ['__tests__/a.ts'] },
  })
  const far = { ...cell('far', { verdict: 'not-reached', tests: null }), description: 'Sends </details>.' }
  const report = { ...all, command: ['jest', '__tests__'], scenarios: ['odd', 'far'], cells: [odd, far] }
  const text = markdownOf(documentOf(report, { worse: [], better: [] }))
  expect(text).toContain('jest \\_\\_tests\\_\\_: 2 scenarios')
  expect(text).toContain('<summary>odd: Answers with &lt;html&gt; and *nothing* else. A client')
  expect(text).toContain('- far: Sends \\</details>.')
})

test('what is accepted is read with a byte order mark, with which some editors begin their files', () =>
  expect(parseAccepted('\uFEFF{"accepted":[]}')).toEqual([]))

test('each problem is an annotation on one line', () => {
  const [line, ...others] = annotationLines(judged)
  expect(others).toEqual([])
  expect(line).toMatch(
    /^::error title=backlot sweep%3A twice::survived, but paid-twice 2 .*What twice does\.$/,
  )
})

test('a fault has its examples, in each report', () => {
  const lines = [
    'paid-twice: b-video-task.create cgt-1 "A boat & <b>"',
    'paid-twice: b-video-task.create cgt-2',
  ]
  expect(terminalText(all, judged, (_, text) => text)).toContain(lines.map((line) => `  ${line}\n`).join(''))
  expect(junitText(all, judged)).toContain('create cgt-1 &quot;A boat &amp; &lt;b&gt;')
  const sentences = documentOf(all, judged).sections[1]?.table?.rows[1]?.details?.sentences
  expect(sentences).toEqual(expect.arrayContaining(lines.map((line) => `${line}.`)))
  expect(htmlOf(documentOf(all, judged))).toContain('A boat &amp; &lt;b&gt;')
})

test('a cell that is not survived has the advice of its scenario, in each report', () => {
  const advised = report([{ ...paidTwice, advice: 'Looks for the task before it orders again.' }, good])
  const compared = compareWith(advised.cells, [], DEFAULT_FAIL_ON, TODAY)
  const line = 'A robust client: Looks for the task before it orders again.'
  const plain = (_: unknown, text: string) => text
  for (const text of [terminalText(advised, compared, plain), junitText(advised, compared)])
    expect(text).toContain(line)
  expect(JSON.stringify(documentOf(advised, compared))).toContain(line)
})
