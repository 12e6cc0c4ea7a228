import { expect, test } from 'vitest'
import { windowsCommand } from '../../src/command/windows-command.js'

const environment = {
  Path: 'C:\\Windows\\system32;C:\\Program Files\\nodejs',
  PATHEXT: '.COM;.EXE;.BAT;.CMD;.JS',
  ComSpec: 'C:\\Windows\\system32\\cmd.exe',
}

const files = [
  'C:\\Windows\\system32\\where.exe',
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npm',
  'C:\\Program Files\\nodejs\\npm.cmd',
  'C:\\my app\\node_modules\\.bin\\vitest.cmd',
  'C:\\my app\\build.bat',
]

const run = (program: string, args: readonly string[] = []) =>
  windowsCommand(program, args, {
    ...{ environment, folder: 'C:\\my app' },
    isFile: (path) => files.some((file) => file.toLowerCase() === path.toLowerCase()),
  })

test.each([
  ['node', 'C:\\Program Files\\nodejs\\node.exe'],
  ['node.exe', 'C:\\Program Files\\nodejs\\node.exe'],
  ['WHERE', 'C:\\Windows\\system32\\WHERE.exe'],
])('%s is found in the PATH, and its arguments stay as they are', (program, found) =>
  expect(run(program, ['a b', '"c"'])).toEqual({ program: found, args: ['a b', '"c"'] }),
)

test.each([
  ['npm', 'C:\\Program Files\\nodejs\\npm.cmd'],
  ['npm.cmd', 'C:\\Program Files\\nodejs\\npm.cmd'],
  ['.\\build', 'C:\\my app\\build.bat'],
  ['node_modules/.bin/vitest', 'C:\\my app\\node_modules\\.bin\\vitest.cmd'],
])('%s is a batch file, which the shell runs', (program, found) =>
  expect(run(program, ['test'])).toEqual({
    program: 'C:\\Windows\\system32\\cmd.exe',
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `""${found}" "test""`],
    windowsVerbatimArguments: true,
  }),
)

test.each([
  ['a b', '"a b"'],
  ['', '""'],
  ['a&b|c<d>e^f', '"a&b|c<d>e^f"'],
  ['say "hi" & del', '"say ""hi"" & del"'],
  ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ['C:\\folder\\', '"C:\\folder\\\\"'],
  ['a\\"b', '"a\\\\""b"'],
  ['!x!', '"!x!"'],
])('for a batch file %j is quoted', (argument, quoted) =>
  expect(run('npm', [argument]).args.at(-1)).toBe(`""C:\\Program Files\\nodejs\\npm.cmd" ${quoted}"`),
)

test('a line break, which would end the command, is refused', () =>
  expect(() => run('npm', ['a\nb'])).toThrow('A batch file takes no argument with a line break.'))

test('a command that is not found is passed to the system, whose error says so', () =>
  expect(run('no-such-command', ['x'])).toEqual({ program: 'no-such-command', args: ['x'] }))
