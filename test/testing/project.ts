import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { newFolder } from '../folder.js'

/**
 * Arguments of Node that run vitest. Its own limit of 5 seconds for a test is short on a busy machine, where the first emulator
 * of a worker is loaded that long; the programs themselves are limited below.
 */
export const VITEST_RUN = [
  resolve('node_modules/vitest/vitest.mjs'),
  'run',
  '--testTimeout=60000',
  '--hookTimeout=60000',
]

/** A project in which the built package is installed. */
export const projectWith = (files: Readonly<Record<string, string>>): string => {
  const folder = newFolder()
  mkdirSync(join(folder, 'node_modules'))
  // On Windows, a junction needs no privilege.
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'backlot'), 'junction')
  symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules', 'vitest'), 'junction')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** What Node prints for these arguments, in a folder. */
export const outputOf = (args: readonly string[], cwd: string): string => {
  const environment = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_|BACKLOT_)/.test(name))
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd, encoding: 'utf8', timeout: 60_000 },
    env: { ...Object.fromEntries(environment), NO_COLOR: '1' },
  })
  return stdout + stderr
}
