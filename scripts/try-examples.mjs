import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { environmentWith, install, installNode, isBatch, pack, spawnable } from './packed.mjs'
import { writeFirstTests } from './readme.mjs'

/**
 * Runs the examples, and the first tests of the README, as their readers would, with the package installed from the
 * tarball: `npm run try-examples [-- NAME …]`, each in a project of its own. With `--together` they are workspaces of one project,
 * which is installed once: the same tests in a third of the time, but what one example needs and does not name is found
 * when another one names it. `--node VERSION` (repeatable) runs them once more on another version of Node.
 */

/** What an example needs that is not installed with it. */
const needs = { python: 'python3', shell: 'curl', 'playwright-vite': 'chromium' }

const isThere = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

/** The path of a program; undefined: it is not there. */
const pathOf = (program) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

const isExample = (name) => {
  try {
    return JSON.parse(readFileSync(join('examples', name, 'package.json'), 'utf8')).scripts.test !== undefined
  } catch {
    return false
  }
}

/** Writes every project into a folder, and gives their names. */
const writeProjects = (folder) => {
  const examples = readdirSync('examples').filter(isExample)
  for (const name of examples) cpSync(join('examples', name), join(folder, name), { recursive: true })
  return [...writeFirstTests(folder), ...examples]
}

/** Those that are asked for; all of them when none is named. */
const chosen = (known, asked) => {
  const unknown = asked.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`There is no example ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  return asked.length > 0 ? asked : known
}

const secondsSince = (start) => `${((performance.now() - start) / 1_000).toFixed(1)} s`

const timed = (what, act) => {
  const start = performance.now()
  const result = act()
  console.log(`${what} in ${secondsSince(start)}`)
  return result
}

/** One project with the others as its workspaces, which share the installed package. */
const installTogether = (names, tarball, folder) => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, workspaces: names }))
  timed('installed together', () => install(folder, '--save-dev', tarball))
  return (name) => join(folder, name)
}

const installApart = (tarball, folder) => (name) => {
  const home = join(folder, name)
  timed(`${name}: installed`, () => install(home, tarball))
  return home
}

/** Tests an example, with the Node of a folder of programs. What it printed is shown when it fails. */
const passes = (name, home, bin) => {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(...spawnable('npm', ['test']), {
    shell: isBatch('npm'),
    cwd: home,
    encoding: 'utf8',
    env: { CHROMIUM_PATH: pathOf('chromium'), ...environmentWith(bin) },
  })
  if (status !== 0) console.error(`${stdout}\n${stderr}`)
  console.log(`${name}: ${status === 0 ? 'passes' : 'FAILS'} in ${secondsSince(start)}`)
  return status === 0
}

const { values, positionals } = parseArgs({
  options: { together: { type: 'boolean' }, node: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
})
const folder = mkdtempSync(join(tmpdir(), 'backlot-examples-'))
try {
  const { tarball } = pack(folder)
  const projects = join(folder, 'projects')
  mkdirSync(projects)
  const names = chosen(writeProjects(projects), positionals)
  const lacking = names.filter((name) => needs[name] !== undefined && !isThere(needs[name]))
  for (const name of lacking) console.log(`${name}: skipped, there is no ${needs[name]} here`)
  const possible = names.filter((name) => !lacking.includes(name))
  const homeOf = values.together
    ? installTogether(possible, tarball, projects)
    : installApart(tarball, projects)
  const homes = new Map(possible.map((name) => [name, homeOf(name)]))
  const failed = [undefined, ...values.node].flatMap((version) => {
    const bin = version === undefined ? undefined : installNode(version)
    if (version !== undefined) console.log(`On Node ${version}:`)
    return possible.filter((name) => !passes(name, homes.get(name), bin))
  })
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
