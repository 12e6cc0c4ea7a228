import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLauncher } from '../../../src/media/render/launcher.js'
import { newFolder } from './specs.js'

const onUnix = test.skipIf(process.platform === 'win32')

/** A launcher of the test's own, and a way to let it run a line of shell. */
const newLauncher = async () => {
  const until = new AbortController()
  onTestFinished(() => until.abort())
  const errors = join(await newFolder(), "what's said")
  const launcher = createLauncher(until.signal)
  const run = (line: string, ...args: string[]) =>
    launcher.launch('/bin/sh', ['-c', line, 'test', ...args], errors)
  return { launcher, errors, run, until }
}

/** A pipe with a name: whoever reads it waits until somebody has written into it. */
const newPipe = async ({ run }: Awaited<ReturnType<typeof newLauncher>>): Promise<string> => {
  const pipe = join(await newFolder(), 'pipe')
  await (await run(`mkfifo '${pipe}'`)).ended
  return pipe
}

/** A program that says who it is and goes on for ever. */
const endless = async (launcher: Awaited<ReturnType<typeof newLauncher>>) => {
  const pipe = await newPipe(launcher)
  const launched = await launcher.run(`echo $$ > '${pipe}'; sleep 1000`)
  return { ...launched, process: Number(await readFile(pipe, 'utf8')) }
}

const isRunning = (number: number): boolean => {
  try {
    return process.kill(number, 0)
  } catch {
    return false
  }
}

onUnix.each([
  ['nothing wrong', 'exit 0', 0],
  ['a code', 'exit 7', 7],
  ['a signal', 'kill -9 $$', 137],
])('a program that ends with %s', async (_, line, code) => {
  const { run } = await newLauncher()
  expect(await (await run(line)).ended).toBe(code)
})

onUnix('a program that is not there', async () => {
  const { launcher, errors } = await newLauncher()
  expect(await (await launcher.launch('/not/there', [], errors)).ended).toBe(127)
})

onUnix('arguments come as they are, whatever is in them', async () => {
  const { run } = await newLauncher()
  const target = join(await newFolder(), 'said')
  const args = ["it's", '$HOME `id` \\n', 'two\nlines\n', '', '"; exit 3; "', '夜 *']
  await (await run(`printf '%s|' "$@" > '${target}'`, ...args)).ended
  expect(await readFile(target, 'utf8')).toBe(`${args.join('|')}|`)
})

onUnix('errors go into the file, and there is nothing to read', async () => {
  const { run, errors } = await newLauncher()
  await (await run('cat; echo out; echo wrong >&2')).ended
  expect(await readFile(errors, 'utf8')).toBe('wrong\n')
})

onUnix('programs run beside each other, and each ends with its own code', async () => {
  const launcher = await newLauncher()
  const pipe = await newPipe(launcher)
  const waits = await launcher.run(`read -r code < '${pipe}'; exit "$code"`)
  const answers = await launcher.run(`echo 5 > '${pipe}'; exit 6`)
  expect(await Promise.all([waits.ended, answers.ended])).toEqual([5, 6])
})

onUnix('a program that is killed at once, and one that has run for a while', async () => {
  const launcher = await newLauncher()
  const early = await launcher.run('sleep 1000')
  early.kill()
  expect(await early.ended).toBe(137)
  const late = await endless(launcher)
  late.kill()
  expect(await late.ended).toBe(137)
  expect(isRunning(late.process)).toBe(false)
  late.kill()
})

onUnix('once it is to end it starts nothing more, and says of what runs how it ends', async () => {
  const launcher = await newLauncher()
  const pipe = await newPipe(launcher)
  const running = await launcher.run(`read -r code < '${pipe}'; exit "$code"`)
  launcher.until.abort(new Error('enough'))
  await expect(launcher.run('exit 0')).rejects.toThrow('enough')
  await writeFile(pipe, '9\n')
  expect(await running.ended).toBe(9)
})

const onLinux = test.skipIf(process.platform !== 'linux')

/** What the system says of a process: its state, and who has started it. */
const statusOf = async (number: number | string): Promise<{ state: string; parent: number }> => {
  const stat = await readFile(`/proc/${number}/stat`, 'utf8').catch(() => '')
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state, parent: Number(parent) }
}

/** The shell is the parent of the one that waits for a program. */
const shellOf = async (program: number): Promise<number> =>
  (await statusOf((await statusOf(program)).parent)).parent

onLinux(
  'where the shell is killed, its program still says how it ends, and the next has another shell',
  async () => {
    const launcher = await newLauncher()
    const running = await endless(launcher)
    process.kill(await shellOf(running.process), 'SIGKILL')
    running.kill()
    expect(await running.ended).toBe(137)
    expect(await (await launcher.run('exit 4')).ended).toBe(4)
  },
)

onLinux('the shell lets go of what has ended', async () => {
  const launcher = await newLauncher()
  for (let times = 0; times < 5; times += 1) await (await launcher.run('exit 0')).ended
  const running = await endless(launcher)
  const shell = await shellOf(running.process)
  const numbers = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))
  const all = await Promise.all(numbers.map(statusOf))
  const left = all.filter(({ state, parent }) => parent === shell && state === 'Z')
  // With every program those before it are let go, so that the last may be left.
  expect(left.length).toBeLessThan(2)
  running.kill()
  await running.ended
})
