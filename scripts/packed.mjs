import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Runs a command to its end and gives what it printed; what it says on standard error is seen. */
export const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** Packs the package as it has been built into a folder: the path of the tarball, its size in bytes, and how many files it holds. */
export const pack = (folder) => {
  const [{ filename, size, entryCount }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], '.'),
  )
  return { tarball: resolve(folder, filename), size, entryCount }
}
