import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EmulatorError, systemReason, whyUnreadable } from '../../emulator/surface/records.js'
import { parseDocument } from '../reports/parse.js'
import { followCoverage, type ObservedEmulator } from './follow.js'
import { type CoverageReport, hitsSchema, mergeReports, readReport, seenGapsSchema } from './report.js'
import { mergeHits, mergeSpecs, pointSpecSchema } from './spec.js'

/**
 * Counts what the calls and callbacks of an emulator cover. Returns a function that writes the counts into a folder, which
 * also happens when the process exits. An account is counted anew after each reset: each time is one test.
 */
export const joinCoverage = (emulator: ObservedEmulator, folder: string): (() => void) => {
  const makeFolder = () => mkdirSync(folder, { recursive: true })
  try {
    makeFolder()
  } catch (cause) {
    throw new EmulatorError(`The folder ${folder} for coverage cannot be made: ${systemReason(cause)}.`, {
      code: 'bad-setting',
      hint: 'BACKLOT_COVERAGE, or the option coverage of the helper, names it.',
      cause,
    })
  }
  const counted = followCoverage(emulator)
  const file = join(folder, `part-${randomUUID().slice(0, 8)}.json`)
  const write = (): void => {
    unwritten.delete(write)
    if (unwritten.size === 0) process.off('exit', writeAll)
    // What cleans up before a run of tests can have removed it.
    makeFolder()
    const { added } = counted
    const part = { format: 'backlot-coverage-part', formatVersion: 1, accounts: counted.accounts(), added }
    writeFileSync(file, JSON.stringify({ ...part, seen: counted.seen() }))
  }
  if (unwritten.size === 0) process.on('exit', writeAll)
  unwritten.add(write)
  return write
}

// One listener for all emulators: Node warns of eleven, in the output of the user's tests.
const unwritten = new Set<() => void>()

const writeAll = (): void => {
  for (const write of unwritten) write()
}

const partSchema = z.object({
  format: z.literal('backlot-coverage-part'),
  formatVersion: z.literal(1),
  accounts: z.array(z.object({ account: z.string(), since: z.number(), hits: hitsSchema })),
  /** What there is to cover where the families are not the built-in ones. */
  added: pointSpecSchema.optional(),
  seen: seenGapsSchema.optional(),
})
/** Schema of a line of a helper: the test to which an account belongs from a time on. */
const nameSchema = z.object({ account: z.string(), at: z.number(), file: z.string(), test: z.string() })

/**
 * Reads a report, or a folder of parts that emulators have written, with the names that helpers have noted there.
 * @throws EmulatorError `no-such-file` or `bad-coverage`
 */
export const readCoverage = (path: string): CoverageReport => {
  const isFolder = existsSync(path) && statSync(path).isDirectory()
  if (!isFolder) return readReport(textOf(path), path)
  const files = reading(path, () => readdirSync(path))
  const names = files
    .filter((name) => name.startsWith('tests-'))
    .flatMap((file) => textOf(join(path, file)).split('\n').filter(Boolean))
    .map((line) => parsed(nameSchema, line, path))
    .sort((a, b) => a.at - b.at)
  const parts = files.filter((name) => name.startsWith('part-'))
  if (parts.length === 0)
    throw new EmulatorError(`There is no part of a coverage report in ${path}.`, { code: 'no-such-file' })
  const read = parts.map((file) => parsed(partSchema, textOf(join(path, file)), join(path, file)))
  const accounts = read.flatMap((part) => part.accounts)
  const added = read.flatMap((part) => part.added ?? [])
  const tests = accounts.flatMap(({ account, since, hits }) => {
    const name = names.findLast((line) => line.account === account && line.at <= since)
    return name === undefined ? [] : [{ file: name.file, test: name.test, hits }]
  })
  const hits = mergeHits(accounts.map((account) => account.hits))
  const seen = Object.assign({}, ...read.map((part) => part.seen))
  return mergeReports([{ hits, tests, seen, ...(added.length === 0 ? {} : { added: mergeSpecs(added) }) }])
}

const textOf = (path: string): string => reading(path, () => readFileSync(path, 'utf8'))

const reading = <T>(path: string, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')
    const sentence = isMissing ? `There is no coverage report ${path}.` : whyUnreadable(path, cause)
    throw new EmulatorError(sentence, { code: 'no-such-file', cause })
  }
}

const parsed = <T extends z.ZodType>(schema: T, text: string, path: string): z.output<T> =>
  parseDocument(text, schema, {
    sentence: `${path} is no part of a coverage report that this version reads`,
    code: 'bad-coverage',
    hint: 'Empty the folder before a run: parts of other versions cannot be added.',
  })
