import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readCommandLine } from '../../src/cli/program.js'
import { startEmulator } from '../../src/index.js'
import { type Block, inLanguages, placeOf } from './blocks.js'
import { backlotCalls, bash, hasBash, typedLines } from './shell.js'

const folder = mkdtempSync(join(tmpdir(), 'backlot-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scripts = inLanguages('sh')
const titled = (blocks: readonly Block[]) => blocks.map((block) => [placeOf(block), block] as const)
const isRun = ({ code, marks }: Block) => code.includes('curl ') && marks['not run'] === undefined

describe.skipIf(!hasBash)('scripts are written as bash wants them', () => {
  test.each(titled(scripts))('%s', async (_, { code }) => {
    expect(await bash(`bash -n <<'SCRIPT'\n${code}\nSCRIPT`, folder)).toMatchObject({ code: 0, err: '' })
  })
})

// A refusal is a failure too, and says why.
const CURL = 'curl() { command curl --fail-with-body --max-time 20 "$@"; }\n'
const hasCurl = hasBash && (await bash('command -v curl', folder)).code === 0

describe.skipIf(!hasCurl)('scripts with curl go through against an emulator', () => {
  test.each(titled(scripts.filter(isRun)))('%s', async (_, { code }) => {
    await using emulator = await startEmulator()
    const script = code.replaceAll(/http:\/\/(127\.0\.0\.1|localhost):4650/g, emulator.url)
    const { code: exitCode, out, err } = await bash(CURL + script, folder, { BACKLOT_URL: emulator.url })
    expect(exitCode, `${out}\n${err}`).toBe(0)
  })
})

test('there are such scripts', () => expect(scripts.filter(isRun).length).toBeGreaterThan(3))

const shown = [...inLanguages('sh', '')].flatMap((block) =>
  typedLines(block.code).flatMap((line) =>
    backlotCalls(line).map((args) => [`${placeOf(block)}: backlot ${args.join(' ')}`, args] as const),
  ),
)

describe('what is typed for backlot is what it takes', () => {
  test.each(shown)('%s', async (_, args) => expect(await readCommandLine(args)).toBeDefined())
})

test('there are such lines', () => expect(shown.length).toBeGreaterThan(20))

test.each([['start', '--prot', '1'], ['strat'], ['ready', '--wait', '1s', 'now']])(
  'a wrong line would be found: %s',
  async (...args) => {
    await expect(readCommandLine(args)).rejects.toThrow()
  },
)
