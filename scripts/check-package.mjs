/** Looks the packed package over: whether its exports, types and files are what those who install it need. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pack, run } from './packed.mjs'

/** Uses the entries, where nothing but the types of Node and of the test frameworks is installed beside the package. */
const inEither = `
import { connectEmulator, EmulatorError, startEmulator, type TaskRecord } from 'backlot'
import { useEmulator as useInJest } from 'backlot/jest'
import jestSetup, { globalSetup as jestSetupWith } from 'backlot/jest/global-setup'
import jestTeardown from 'backlot/jest/global-teardown'
import { matchers } from 'backlot/matchers'
import { useEmulator as useInNode } from 'backlot/node-test'
import 'backlot/matchers/jest'
import { expect as jestExpect } from 'expect'

export const others = [useInJest(), useInNode({ key: 'key' }), matchers]
export const setups = [jestSetup, jestSetupWith({ seed: 1 }), jestTeardown]
export const run = async (): Promise<number> => {
  const own = await startEmulator({ scenario: 'upstream-flapping' })
  const tasks: readonly TaskRecord[] = await own.tasks.list({ status: 'failed' })
  const answer: Promise<unknown> = jestExpect(own).toHaveDeliveredCallback({ status: 'succeeded' })
  await answer
  jestExpect(tasks[0]).toHaveSucceeded()
  if (connectEmulator(own.url).key === '') throw new EmulatorError('none')
  return own.port
}
`

const inModules = `
import { useEmulator } from 'backlot/vitest'
import vitestSetup, { globalSetup } from 'backlot/vitest/global-setup'
import 'backlot/matchers/vitest'
import { expect } from 'vitest'

export const emulator = useEmulator({ timing: 'instant', env: { BASE: '{url}' }, allow: ['unused-steps'] })
export const vitestSetups = [vitestSetup, globalSetup({ env: {} })]
export const answer: Promise<unknown> = expect(emulator).toHaveReceived('b-video-task.create', { times: 1 })
expect({}).toHaveSucceeded()
`

const options = {
  ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, types: ['node'] },
  ...{ skipLibCheck: false, exactOptionalPropertyTypes: true },
}

/** The folder of somebody who has installed the package, in both kinds of modules. */
const checkTypes = (folder, tarball) => {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'backlot'), { recursive: true })
  mkdirSync(join(modules, '@types'))
  run('tar', ['xzf', tarball, '-C', join(modules, 'backlot'), '--strip-components', '1'], folder)
  for (const name of ['@types/node', 'vitest', 'expect'])
    symlinkSync(resolve('node_modules', name), join(modules, name))
  writeFileSync(join(folder, 'consumer.cts'), inEither)
  writeFileSync(join(folder, 'consumer.mts'), inEither + inModules)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['consumer.*'] }),
  )
  run(resolve('node_modules/.bin/tsc'), ['-p', folder], folder)
  console.log('types: stand without any other package, in ES modules and CommonJS')
}

const folder = mkdtempSync(join(tmpdir(), 'backlot-check-'))
try {
  const { tarball } = pack(folder)
  process.stdout.write(run('npx', ['publint', 'run', tarball, '--strict'], '.'))
  // Tools that do not know `exports` find the main entry alone, as in every package with entries like these.
  process.stdout.write(
    run('npx', ['attw', tarball, '--profile', 'node16', '--format', 'ascii', '--quiet'], '.'),
  )
  checkTypes(folder, tarball)
} catch (error) {
  process.stdout.write(`${error.stdout ?? error}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
