import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmulator } from '../../src/index.js'
import { newFolder } from '../folder.js'
import { blockWith } from './run.js'
import { bash } from './shell.js'

const exec = blockWith('docs/ci.md', 'npx backlot exec --env').code
const shell = blockWith('docs/ci.md', 'trap "kill $!"').code

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const asks = 'fetch(process.env.BACKLOT_URL + "/_backlot/health").then((a) => console.log("asked", a.status))'

/** A project in which the package is installed as npm does it, and whose tests run this code. */
const projectWith = (code: string): string => {
  const folder = newFolder()
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/backlot'))
  symlinkSync('../backlot/dist/cli.js', join(folder, 'node_modules/.bin/backlot'))
  writeFileSync(join(folder, 'test.cjs'), code)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "scripts": { "test": "node test.cjs" } }')
  return folder
}

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // It has ended, or is of another user.
    return ''
  }
}

/** Runs a script and looks for the processes that it leaves behind, which have its mark in their environment. */
const runAndLook = async (script: string, folder: string, port: number) => {
  const mark = randomUUID()
  const ran = await bash(script, folder, {
    ...{ MARK: mark, BACKLOT_PORT: String(port), BACKLOT_URL: `http://127.0.0.1:${port}` },
    npm_config_loglevel: 'error',
  })
  const left = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && environmentOf(name).includes(`MARK=${mark}`),
  )
  return { ...ran, left }
}

// Without /proc there is no list of processes with their environment.
describe.skipIf(process.platform !== 'linux')('the recipes for a shell leave no process behind', () => {
  test.each([
    ['exec', exec],
    ['start and ready', shell],
  ])('%s, after tests that pass', async (_, script) => {
    const { code, out, err, left } = await runAndLook(script, projectWith(asks), await freePort())
    expect([code, left], err).toEqual([0, []])
    expect(out).toContain('asked 200')
  })

  test.each([
    ['exec', exec],
    ['start and ready', shell],
  ])('%s, after tests that fail', async (_, script) => {
    const { code, left } = await runAndLook(script, projectWith('process.exit(3)'), await freePort())
    expect([code, left]).toEqual([3, []])
  })

  test('start and ready, where an earlier emulator is at the port: the tests do not meet it', async () => {
    await using stranger = await startEmulator()
    const { code, out, err, left } = await runAndLook(shell, projectWith(asks), stranger.port)
    expect([code, left]).toEqual([1, []])
    expect(err).toContain('is taken by another Backlot')
    expect(out).not.toContain('asked')
  })
})
