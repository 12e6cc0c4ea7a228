import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, pack, run } from './packed.mjs'

/**
 * Measures how long it takes from an empty folder to a green test of pytest, as docs/other-languages.md says it, where Node and
 * Python are there: `npm run try-python`. More than a minute is a failure. What npm and pip have downloaded before, they take from
 * their caches. With `--installed` pytest and requests are those of python3 itself and the plug-in is not installed, for machines without PyPI.
 */
const MOST_SECONDS = 60

const { values } = parseArgs({ options: { installed: { type: 'boolean' } } })

const page = readFileSync('docs/other-languages.md', 'utf8')
const [test] = [...page.matchAll(/^```py\n(.*?)^```$/gms)].map(([, code]) => code)
if (!test?.includes('backlot_account')) throw new Error('docs/other-languages.md has no test in Python.')

const folder = mkdtempSync(join(tmpdir(), 'backlot-python-'))
let seconds = 0

const step = (what, act) => {
  const start = performance.now()
  const result = act()
  const taken = (performance.now() - start) / 1_000
  seconds += taken
  console.log(`${what}: ${taken.toFixed(1)} s`)
  return result
}

try {
  const { tarball } = pack(folder)
  const home = join(folder, 'project')
  const python = join(home, '.venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'python')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  step('npm install backlot', () => install(home, '--save-dev', tarball))
  const shared = values.installed ? ['--system-site-packages'] : []
  step('python3 -m venv', () => run('python3', ['-m', 'venv', ...shared, '.venv'], home))
  const client = './node_modules/backlot/clients/python'
  if (values.installed) process.env.PYTHONPATH = join(home, client)
  else {
    const packages = ['pytest', 'requests', client]
    step('pip install', () => run(python, ['-m', 'pip', 'install', '--quiet', ...packages], home))
  }
  const plugin = values.installed ? ['-p', 'pytest_backlot.plugin'] : []
  writeFileSync(join(home, 'test_video.py'), test)
  const out = step('pytest', () => run(python, ['-m', 'pytest', '-q', ...plugin, 'test_video.py'], home))
  if (!out.includes('1 passed')) throw new Error(`The test is not green:\n${out}`)
  console.log(`From nothing to a green test: ${seconds.toFixed(1)} s, of at most ${MOST_SECONDS}.`)
  if (seconds > MOST_SECONDS) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
