import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.js'
import { version } from '../../src/server/version.js'
import { ended, endedHere } from './backlot.js'

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
