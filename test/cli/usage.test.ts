import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { settingsDoc } from '../../scripts/generate/settings-doc.js'
import { commands, readPlainly } from '../../src/cli/program.js'
import { start } from '../../src/cli/start.js'
import { version } from '../../src/version.js'
import { ended, endedHere } from './backlot.js'
import { parsed } from './settings/sources.js'

describe('usage', () => {
  test('--version is the version and nothing else', async () => {
    expect(await ended(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  test('wrong usage ends the process with its code', async () => {
    const { code, out, err } = await ended(['strat'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('backlot: unknown command')
  })

  test('--help names every command, with examples', async () => {
    const { code, out } = await endedHere(['--help'])
    expect(code).toBe(0)
    for (const { usage } of commands) expect(out).toContain(`  ${usage.split(' ')[0]} `)
    expect(out).toContain('Examples:\n  backlot start')
  })

  test.each(commands.map((command) => [command.usage.split(' ')[0] ?? '', command] as const))(
    'the help of %s shows its options and examples',
    async (name, { options, examples }) => {
      const { code, out } = await endedHere([name, '--help'])
      expect(code).toBe(0)
      for (const { flags } of options) expect(out).toContain(`  ${flags}`)
      for (const [line] of examples) expect(out).toContain(`  ${line} `)
    },
  )

  test.each([
    ['a misspelt command', ['strat'], "unknown command 'strat' (Did you mean start?)"],
    ['an unknown command', ['xyzzy'], "unknown command 'xyzzy'"],
    ['a misspelt option', ['start', '--prot', '3'], "unknown option '--prot' (Did you mean --port?)"],
    ['a misspelt option of plain backlot', ['--prot', '3'], "unknown option '--prot' (Did you mean --port?)"],
    ['an unknown option, without its value', ['start', '--tokenn=secret'], "unknown option '--tokenn'"],
    [
      'an image size that no request may ask for',
      ['start', '--set', 'defaultImageSize=5000*10'],
      '--set defaultImageSize must be of an area from 512*512 to 2048*2048 pixels, found "5000*10"',
    ],
    ['an option without its value', ['start', '--port'], "option '--port <number>' argument missing"],
    ['something left over', ['start', 'now'], 'too many arguments'],
  ])('%s is wrong usage', async (_, args, message) => {
    const { code, out, err } = await endedHere(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`backlot: ${message}`)
    expect(err.trim().split('\n')).toHaveLength(2)
    expect(err).not.toContain('secret')
  })

  test.each([
    ['a wrong value', ['start', '--port', 'x'], /^backlot: --port must be a number, found "x"\.\n/],
    [
      'a file that is not there',
      ['start', '--config', 'gone.json'],
      /^backlot: There is no file .*gone\.json\.\n$/,
    ],
    ['an unknown setting', ['start', '--set', 'prot=1'], /prot is no setting, did you mean port\?\n/],
  ])('%s is wrong usage, in one or two lines', async (_, args, message) => {
    const { code, err } = await endedHere(args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(2)
  })
})

describe('plain', () => {
  test.each([
    [[]],
    [['--port', '0', '--json']],
    [['--port=8080', '--public-url', 'http://a.test']],
    [['--seed', '1', '--seed', '2']],
    [['--account', 'a', '--account', 'b', '--set', 'x=1=2', '--callback-hosts', '*']],
    [['--control-token', '', '--strict', '--quiet', '--start-at', '2026-01-01T00:00:00Z']],
  ])('%j is read as the whole parser reads it', async (args) =>
    expect(readPlainly(start, ['start', ...args])?.options).toEqual(await parsed(args)),
  )

  test.each([
    ['another command', ['exec', '--seed', '1']],
    ['help', ['start', '--help']],
    ['help in short', ['start', '-h']],
    ['a misspelt option', ['start', '--prot', '1']],
    ['something left over', ['start', 'now']],
    ['a missing value', ['start', '--port']],
    ['a value for a switch', ['start', '--json=yes']],
  ])('%s is left to the whole parser', (_, args) => expect(readPlainly(start, args)).toBeUndefined())
})

describe('documents', () => {
  const read = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

  test('docs/settings.md is what the schema says (npx tsx scripts/make-settings-doc.ts writes it)', async () => {
    expect(await read('settings.md')).toBe(settingsDoc())
  })

  const nameOf = (usage: string) => usage.split(' ')[0] ?? ''
  const flagOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags

  test.each(commands.map(({ usage, options }) => [nameOf(usage), options] as const))(
    'docs/command-line.md shows backlot %s and each of its options at work',
    async (name, options) => {
      const text = await read('command-line.md')
      expect(text).toContain(`## \`backlot ${name}`)
      for (const { flags } of options)
        expect(text).toMatch(new RegExp(`backlot [\\w-]+ .*${flagOf(flags)}\\b`))
    },
  )
})
