import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { loadCommands, readCommandLine } from '../../src/cli/program.js'
import { version } from '../../src/emulator/version.js'
import { newFolder } from '../folder.js'
import { ended, endedHere } from './backlot.js'

const commands = await loadCommands()

/** Name of a command, of one word or several. */
const nameOf = (usage: string) => usage.replace(/ [<[].*/, '')

describe('usage', () => {
  test('--version is the version and nothing else', async () => {
    expect(await ended(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  test('wrong usage ends the process with its code', async () => {
    const { code, out, err } = await ended(['strat'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('backlot: unknown command')
  })

  test.each(['js', 'mjs', 'cjs', 'ts'])(
    'a mistake in the syntax of a configuration in .%s has its line and column',
    async (ending) => {
      const folder = newFolder()
      const name = `backlot.config.${ending}`
      const begin = ending === 'cjs' ? 'module.exports =' : 'export default'
      const code = `${begin} {\n  port: 0,\n  clock: 'paused'\n   speed: 3,\n}\n`
      await writeFile(join(folder, name), code)
      const { code: exitCode, err } = await ended(['start'], { folder })
      expect([exitCode, err]).toEqual([
        2,
        `backlot: ${join(folder, name)}:4:4 cannot be read: Unexpected token, expected ",".\n`,
      ])
    },
  )

  test('--help names every command, with examples', async () => {
    const { code, out } = await endedHere(['--help'])
    expect(code).toBe(0)
    for (const { usage } of commands) expect(out).toContain(`  ${nameOf(usage)} `)
    expect(out).toContain('Examples:\n  backlot start')
  })

  test.each(commands.map((command) => [nameOf(command.usage), command] as const))(
    'the help of %s shows its options and examples',
    async (name, { options, examples }) => {
      const { code, out } = await endedHere([...name.split(' '), '--help'])
      expect(code).toBe(0)
      for (const { flags } of options) expect(out).toContain(`  ${flags}`)
      for (const [line] of examples) expect(out).toContain(`  ${line} `)
    },
  )

  test('a line for each of several mistakes', async () => {
    const { code, err } = await endedHere(['start', '--clock', 'stopped', '--seed', '-1'])
    expect({ code, lines: err.trim().split('\n') }).toEqual({
      code: 2,
      lines: [
        'backlot: --clock must be one of live, paused, on-poll, found "stopped".',
        '--seed must be at least 0, found -1.',
        'docs/settings.md lists every setting with what it may be.',
      ],
    })
  })

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
    ['an empty name of a file', ['start', '--config', ''], "option '--config <file>' argument missing"],
    [
      'an empty name of a folder',
      ['sweep', '--output', '', '--', 'x'],
      "option '--output <folder>' argument missing",
    ],
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
    [
      'a certificate that is not there',
      ['start', '--port', '0', '--tls-cert', 'gone.pem', '--tls-key', 'gone.key'],
      /^backlot: The certificate gone\.pem and the key gone\.key cannot be used: ENOENT/,
    ],
    ['an unknown setting', ['start', '--set', 'prot=1'], /prot is no setting, did you mean port\?\n/],
  ])('%s is wrong usage, in one or two lines', async (_, args, message) => {
    const { code, err } = await endedHere(args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(2)
  })
})

describe('arguments', () => {
  test.each([
    [[], {}],
    [['--port', '0', '--json'], { port: '0', json: true }],
    [['--port=8080', '--public-url', 'http://a.test'], { port: '8080', publicUrl: 'http://a.test' }],
    [['--seed', '1', '--seed', '2'], { seed: '2' }],
    [
      ['--account', 'a', '--account', 'b', '--set', 'x=1=2', '--callback-hosts', '*'],
      { account: ['a', 'b'], set: ['x=1=2'], callbackHosts: ['*'] },
    ],
    [['--control-token', '', '--start-at', '-1'], { controlToken: '', startAt: '-1' }],
  ])('%j', async (args, options) => {
    const { parsed } = await readCommandLine(['start', ...args])
    expect(parsed).toEqual({ options, operands: [] })
  })

  test.each([
    [['ready', '--wait'], { wait: true }],
    [['ready', '--wait', '3s'], { wait: '3s' }],
    [['ready', '--wait', '--url', 'http://a.test'], { wait: true, url: 'http://a.test' }],
    [['scenario-from', 'a.har', '-o', 'b.yaml'], { output: 'b.yaml' }],
  ])('an option with a short name, or whose value may be missing: %j', async (args, options) => {
    const { parsed } = await readCommandLine(args)
    expect(parsed).toMatchObject({ options })
  })

  test('everything behind -- is an operand', async () => {
    const { parsed } = await readCommandLine(['check', '--', '--strange.yaml'])
    expect(parsed).toEqual({ options: {}, operands: ['--strange.yaml'] })
  })

  test('a switch takes no value', async () => {
    const { code, err } = await endedHere(['start', '--json=yes'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("option '--json' takes no value") })
  })
})

describe('files', () => {
  const commandsOfFiles = [['replay'], ['scenario-from'], ['check']]

  test.each(commandsOfFiles)(
    'no control character of one that %s reads reaches the terminal',
    async (name) => {
      const file = join(newFolder(), 'a.har')
      // What each of them repeats in its message: a name that is not defined, or what is no JSON.
      await writeFile(file, name === 'replay' ? '{"a": \x1B[2J}\n' : 'steps: *\x1B[2J\n')
      const { code, out, err } = await endedHere([name, file])
      expect(code).toBe(name === 'check' ? 1 : 2)
      expect(out + err).toContain('�')
      expect(out + err).not.toContain('\x1B')
    },
  )

  test.each(commandsOfFiles)('%s says that an archive has to be unpacked', async (name) => {
    const file = join(newFolder(), 'a.har')
    const beginnings = { zip: Buffer.from('PK\x03\x04\n\n\xFF', 'latin1'), gzip: gzipSync('{}') }
    for (const [kind, bytes] of Object.entries(beginnings)) {
      await writeFile(file, bytes)
      const { code, err } = await endedHere([name, file])
      expect(code).toBe(2)
      expect(err).toBe(
        `backlot: ${file} cannot be read: it is a ${kind} file, which has to be unpacked first.\n`,
      )
    }
  })
})

test.each(['sweep', 'coverage'])('%s names a folder for temporary files that is not there', async (name) => {
  const missing = join(newFolder(), 'missing')
  const environment = { TMPDIR: missing, TEMP: missing, TMP: missing }
  const { code, err } = await ended([name, '--', process.execPath, '-e', ''], { environment })
  expect(err).toBe(
    `backlot: No folder can be made in ${missing}: its folder is not there.\n` +
      'Make room there, or set TMPDIR (on Windows TEMP) to a folder that can be written to.\n',
  )
  expect(code).toBe(1)
})

describe('documents', () => {
  const read = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

  const flagOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags

  test.each(commands.map(({ usage, options }) => [nameOf(usage), options] as const))(
    'docs/command-line.md shows backlot %s and each of its options at work',
    async (name, options) => {
      const text = await read('command-line.md')
      expect(text.includes(`## \`backlot ${name}`), 'it has a section').toBe(true)
      const isShown = (flag: string) => new RegExp(`backlot [\\w-]+ .*${flag}\\b`).test(text)
      expect(options.map(({ flags }) => flagOf(flags)).filter((flag) => !isShown(flag))).toEqual([])
    },
  )
})
