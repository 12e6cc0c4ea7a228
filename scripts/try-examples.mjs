/**
 * Runs the tests of the examples as their readers would: each in a folder of its own, with the package installed from
 * the tarball. `npm run try-examples [-- NAME …]`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, run } from './packed.mjs'

/** What an example needs that is not installed with it. */
const needs = { python: 'python3', shell: 'curl' }

const isThere = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

const seconds = (since) => `${((performance.now() - since) / 1_000).toFixed(1)} s`

/** Installs and tests an example. What it printed is shown when it fails. */
const tried = (name, tarball, folder) => {
  const home = join(folder, name)
  cpSync(join('examples', name), home, { recursive: true })
  const installing = performance.now()
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', tarball], home)
  const installed = seconds(installing)
  const testing = performance.now()
  const { status, stdout, stderr } = spawnSync('npm', ['test'], {
    cwd: home,
    encoding: 'utf8',
    // Nothing of where this runs may help or hinder the example.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !/^(BACKLOT_|VITEST|NODE_OPTIONS)/.test(key)),
    ),
  })
  if (status !== 0) console.error(`${stdout}\n${stderr}`)
  console.log(
    `${name}: ${status === 0 ? 'passes' : 'FAILS'} (installed in ${installed}, tested in ${seconds(testing)})`,
  )
  rmSync(home, { recursive: true, force: true })
  return status === 0
}

const known = readdirSync('examples').filter((name) => {
  try {
    return JSON.parse(readFileSync(join('examples', name, 'package.json'), 'utf8')).scripts.test !== undefined
  } catch {
    return false
  }
})
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0)
  throw new Error(`There is no example ${unknown.join(', ')}. There are: ${known.join(', ')}.`)

const folder = mkdtempSync(join(tmpdir(), 'backlot-examples-'))
try {
  const { tarball } = pack(folder)
  let failed = 0
  for (const name of asked.length > 0 ? asked : known) {
    if (needs[name] !== undefined && !isThere(needs[name]))
      console.log(`${name}: left out, there is no ${needs[name]} here`)
    else if (!tried(name, tarball, folder)) failed += 1
  }
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
