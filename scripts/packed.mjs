import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

/** Runs a command to its end and returns its standard output; standard error is passed on. */
export const run = (command, args, cwd) => runWith(undefined, command, args, cwd)

/** Runs a command as `run` does, with a folder of programs before all others; undefined: with this process's own Node. */
export const runWith = (bin, command, args, cwd) =>
  execFileSync(...spawnable(command, args), {
    cwd,
    shell: isBatch(command),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
    env: environmentWith(bin),
  })

// On Windows npm and npx are batch files, which only a shell runs.
export const isBatch = (command) => process.platform === 'win32' && ['npm', 'npx'].includes(command)

/** A program and its arguments as this system spawns them, with the option `shell` of `isBatch`. */
export const spawnable = (command, args) =>
  isBatch(command) ? [`${command}.cmd`, args.map((argument) => `"${argument}"`)] : [command, args]

/** The environment of a user: nothing of npm's or of this project's, and a folder of programs before all others. */
export const environmentWith = (bin) => {
  const own = Object.entries(process.env).filter(([key]) => !/^(BACKLOT_|VITEST|NODE_OPTIONS|npm_)/.test(key))
  const path = bin === undefined ? process.env.PATH : `${bin}${delimiter}${process.env.PATH}`
  return { ...Object.fromEntries(own), PATH: path }
}

/** Installs packages into a project; versions that npm has downloaded before are not asked for again. */
export const install = (folder, ...packages) =>
  run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages],
    folder,
  )

/**
 * Installs another version of Node from the npm registry, which has its binaries, and returns the folder of its programs.
 * It is kept in node_modules/.cache for the scripts that run beside and after this one.
 */
export const installNode = (version) => {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const home = resolve('node_modules', '.cache', `${name}-${version}`)
  if (!existsSync(home)) {
    mkdirSync(dirname(home), { recursive: true })
    const temporary = mkdtempSync(`${home}-`)
    writeFileSync(join(temporary, 'package.json'), '{ "private": true }')
    install(temporary, '--force', `${name}@${version}`)
    try {
      renameSync(temporary, home)
    } catch {
      // Another script has put its copy there meanwhile.
      rmSync(temporary, { recursive: true, force: true })
    }
  }
  return join(home, 'node_modules', name, 'bin')
}

/** Packs the built package into a folder: the path of the tarball, its size in bytes, and the number of its files. */
export const pack = (folder) => {
  const [{ filename, size, entryCount }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], '.'),
  )
  return { tarball: resolve(folder, filename), size, entryCount }
}
