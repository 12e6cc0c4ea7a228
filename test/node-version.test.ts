import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'backlot-node-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs code on a Node that says it is another version, without a method of Node 20. `npm run try-package` runs it on a real one. */
const runOn = (version: string, args: readonly string[]) => {
  const preload = join(folder, 'version.cjs')
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    const { toSorted } = Array.prototype
    Array.prototype.toSorted = function (...order) {
      // The modules of Node itself use it too.
      if ('${version}'.startsWith('18.') && new Error().stack.includes('dist'))
        throw new TypeError('toSorted is not a function')
      return toSorted.apply(this, order)
    }`,
  )
  const { status, stderr } = spawnSync(process.execPath, ['--require', preload, ...args], {
    encoding: 'utf8',
  })
  return { status, stderr }
}

const SENTENCE = (version: string) => `Backlot needs Node 20.19 or newer, this is ${version}.`

test.each(['18.20.8', '20.18.3'])('the command line says in one line that Node %s is too old', (version) => {
  expect(runOn(version, ['dist/cli.js', '--version'])).toEqual({
    status: 1,
    stderr: `${SENTENCE(version)}\n`,
  })
})

test.each(['20.19.0', '22.0.0', '26.1.0'])('Node %s is not', (version) =>
  expect(runOn(version, ['dist/cli.js', '--version'])).toEqual({ status: 0, stderr: '' }),
)

const entries = readdirSync('dist').filter((name) =>
  /^(index|vitest|jest|node-test|testcontainers|matchers|playwright|family)\.c?js$/.test(name),
)

test.each(entries)('an import of %s says so too', (name) => {
  // Playwright itself refuses Node 18 in a sentence of its own.
  const version = name.startsWith('playwright') ? '20.18.3' : '18.20.8'
  const url = pathToFileURL(resolve('dist', name)).href
  const { status, stderr } = runOn(version, ['--input-type=module', '-e', `await import('${url}')`])
  expect(status).toBe(1)
  expect(stderr).toContain(SENTENCE(version))
  expect(stderr).not.toContain('    at ')
})
