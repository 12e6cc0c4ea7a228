import { z } from 'zod'
import { EmulatorError, suggestion, version } from '../../emulator/surface/records.js'
import { grades } from '../../emulator/surface/registry.js'
import { parseDocument } from '../reports/parse.js'
import { likeliestOf } from './likeliest.js'
import { isCovered, type Point, pointSchema, pointsOf, usedFamilies } from './points.js'
import {
  type CoverageKind,
  coverageKinds,
  type Hits,
  hitKinds,
  isHit,
  mergeHits,
  mergeSpecs,
  type PointSpec,
  pointSpecSchema,
  usualPoints,
} from './spec.js'

/** Zod schema of hits. */
export const hitsSchema = z
  .strictObject(
    Object.fromEntries(hitKinds.map((kind) => [kind, z.record(z.string(), z.int().min(0))])) as {
      [K in (typeof hitKinds)[number]]: z.ZodRecord<z.ZodString, z.ZodInt>
    },
  )
  .describe('by kind, how often each item was covered; 0: known and not covered')

const text = z.string()
const count = z.int()
const share = z.strictObject({ covered: count, total: count, percent: z.number().nullable() })
const grade = z.enum(grades)
const seen = z
  .strictObject({ verdict: z.enum(['same', 'differs']), on: text })
  .describe('whether the real service was seen to answer as the emulator does, and on which day')
const relied = z.strictObject({ gap: text, grade, place: text, answer: text, count, seen: seen.optional() })

/** What `backlot verify` has seen of gaps, by their ids. */
export const seenGapsSchema = z.record(z.string(), seen)
export type SeenGaps = z.output<typeof seenGapsSchema>

/** Zod schema of a coverage report as JSON. Reports are merged by their hits and tests; all the rest follows from these. */
export const coverageSchema = z
  .strictObject({
    format: z.literal('backlot-coverage').describe('what the file is'),
    formatVersion: z.literal(1).describe('version of this format'),
    backlot: text.describe('version that wrote it'),
    families: z
      .strictObject({ used: z.array(text), unused: z.array(text) })
      .describe('those of which an operation was called, which count, and the others'),
    kinds: z
      .record(z.enum(coverageKinds), share)
      .describe(
        'what is covered of each; percent is rounded down to a tenth, null where there is nothing to cover',
      ),
    likeliest: z
      .array(pointSchema)
      .default([])
      .describe('those of them that a client of the operations in use is likeliest to meet, ten at most'),
    uncovered: z.array(pointSchema).describe('the points that no test covers'),
    relied: z
      .array(relied)
      .describe('answers that no specification gives and that the tests rely on, the least sure first'),
    tests: z
      .array(z.strictObject({ file: text, test: text, hits: hitsSchema }))
      .describe('what each test covers, where a helper knows its name'),
    hits: hitsSchema,
    added: pointSpecSchema
      .optional()
      .describe('what there is to cover of families that are not as the built-in ones; default: nothing'),
    seen: seenGapsSchema
      .optional()
      .describe('what backlot verify has seen of gaps, by their ids; default: nothing'),
  })
  .describe('What tests cover of the service: what they call, break, see and rely on.')
export type CoverageReport = z.output<typeof coverageSchema>

type TestHits = CoverageReport['tests'][number]

/** Coverage report of hits. Points of families that no test calls do not count. */
export const reportOf = (
  hits: Hits,
  tests: readonly TestHits[],
  added?: PointSpec,
  seen: SeenGaps = {},
): CoverageReport => {
  const spec = added === undefined ? usualPoints() : mergeSpecs([usualPoints(), added])
  const used = usedFamilies(spec, hits)
  const points = pointsOf(spec, used, hits)
  const uncovered = points.filter((point) => !isCovered(hits, point))
  const share = (kind: CoverageKind) => {
    const countIn = (counted: readonly Point[]) => counted.filter((point) => point.kind === kind).length
    const total = countIn(points)
    const covered = total - countIn(uncovered)
    return { covered, total, percent: total === 0 ? null : Math.floor((covered / total) * 1_000) / 10 }
  }
  return {
    format: 'backlot-coverage',
    formatVersion: 1,
    backlot: version,
    families: {
      used: used.map(({ id }) => id),
      unused: spec.families.filter((family) => !used.includes(family)).map(({ id }) => id),
    },
    kinds: Object.fromEntries(coverageKinds.map((kind) => [kind, share(kind)])) as CoverageReport['kinds'],
    likeliest: likeliestOf(uncovered, spec, hits),
    uncovered,
    relied: spec.gaps
      .filter(({ id }) => isHit(hits, 'gaps', id))
      .map(({ id, grade, place, answer }) => {
        const row = { gap: id, grade, place, answer, count: hits.gaps[id] ?? 0 }
        return seen[id] === undefined ? row : { ...row, seen: seen[id] }
      })
      .sort((a, b) => sureness(a) - sureness(b)),
    tests: [...tests],
    hits,
    ...(added === undefined ? {} : { added }),
    ...(Object.keys(seen).length === 0 ? {} : { seen }),
  }
}

/** How sure an answer is: what the service was seen to answer is surest. */
const sureness = ({ grade, seen }: CoverageReport['relied'][number]): number =>
  seen?.verdict === 'same' ? grades.length : grades.indexOf(grade)

/** Merges reports. A test that several of them name has the sum of its hits. */
export const mergeReports = (
  reports: readonly Pick<CoverageReport, 'hits' | 'tests' | 'added' | 'seen'>[],
): CoverageReport => {
  const tests = new Map<string, TestHits>()
  for (const { file, test, hits } of reports.flatMap((report) => report.tests)) {
    const earlier = tests.get(`${file}\n${test}`)?.hits
    const sum = earlier === undefined ? hits : mergeHits([earlier, hits])
    tests.set(`${file}\n${test}`, { file, test, hits: sum })
  }
  const added = reports.flatMap((report) => report.added ?? [])
  return reportOf(
    mergeHits(reports.map(({ hits }) => hits)),
    [...tests.values()],
    added.length === 0 ? undefined : mergeSpecs(added),
    Object.assign({}, ...reports.map(({ seen }) => seen)),
  )
}

/** Reads a report. @throws EmulatorError `bad-coverage` */
export const readReport = (text: string, file: string): CoverageReport =>
  parseDocument(text, coverageSchema, {
    sentence: `${file} is no coverage report that this version reads`,
    code: 'bad-coverage',
    hint: 'Reports are written by `backlot coverage --json FILE`; parts of helpers are in the folder of BACKLOT_COVERAGE.',
  })

type Thresholds = ReadonlyMap<CoverageKind, number>

/** Thresholds of a text such as `rules=80,operations=100`. @throws EmulatorError `wrong-usage` */
export const readThresholds = (written: readonly string[]): Thresholds => {
  const thresholds = new Map<CoverageKind, number>()
  for (const part of written.flatMap((list) => list.split(','))) {
    const [, word = '', percent = ''] = /^\s*(\w+)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(part) ?? []
    const kind = coverageKinds.find((name) => name === word)
    if (word === '') throw badThreshold(`wants KIND=PERCENT, found ${JSON.stringify(part)}`)
    if (kind === undefined)
      throw badThreshold(`has no kind ${JSON.stringify(word)}${suggestion(word, coverageKinds)}`)
    if (Number(percent) > 100) throw badThreshold(`${kind} must be at most 100 percent, found ${percent}`)
    if (thresholds.has(kind)) throw badThreshold(`names ${kind} twice`)
    thresholds.set(kind, Number(percent))
  }
  return thresholds
}

const badThreshold = (problem: string): EmulatorError =>
  new EmulatorError(`--min ${problem}.`, {
    code: 'wrong-usage',
    hint: 'For example --min rules=80,operations=100.',
  })

/** Shortfalls below thresholds, as sentences. Tests that called nothing meet none. */
export const shortfalls = ({ kinds, families }: CoverageReport, thresholds: Thresholds): string[] =>
  [...thresholds].flatMap(([kind, min]) => {
    const { percent, covered, total } = kinds[kind]
    if (families.used.length === 0) return [`${kind}: nothing was called, and --min wants ${min} %.`]
    // Of the exact share: the percent of a report is rounded down.
    if (total === 0 || (covered * 100) / total >= min) return []
    return [`${kind}: ${percent} % are covered (${covered} of ${total}), and --min wants ${min} %.`]
  })
