import { execFile } from 'node:child_process'
import { expect } from 'vitest'
import { projectWith, VITEST_RUN } from '../testing/project.js'
import { BROWSER_MS, browserTest, openUi, useBrowser } from './page.js'
import { clientOf, kinds } from './state/copied-calls.js'

useBrowser()

browserTest(
  'the test that is copied from each kind of call on the page passes in a project that has pasted it',
  async () => {
    const { emulator, page, show } = await openUi()
    const files: Record<string, string> = {
      'package.json': '{ "type": "module" }',
    }
    const names = Object.entries(kinds)
    for (const [index, [kind, [, contains, call]]] of names.entries()) {
      const key = `copied-${index}`
      await call(clientOf(emulator, key))
      // A call without a key is one of the default account.
      const account = emulator.account(kind.includes('without a key') ? 'default' : key)
      const [request] = await account.requests.list({ limit: 1 })
      const { tag } = await account.read()
      await show(`requests/${request?.id}?account=${tag}`)
      await page.getByRole('button', { name: 'vitest test' }).click()
      await page.locator('.notice:has-text("Copied vitest test.")').waitFor()
      const source = await page.evaluate<string>('navigator.clipboard.readText()')
      expect(source).toContain(contains)
      files[`${String(index).padStart(2, '0')}-${kind.replace(/\W+/g, '-')}.test.js`] = source
    }
    const { code, output } = await vitestIn(projectWith(files))
    expect(output).toMatch(new RegExp(`Tests +${names.length} passed`))
    expect(code, output).toBe(0)
  },
  3 * BROWSER_MS,
)

/** Runs all tests of a folder. */
const vitestIn = (folder: string): Promise<{ readonly code: number; readonly output: string }> => {
  const args = [...VITEST_RUN, '--root', folder, '--maxWorkers=1']
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env: cleanEnvironment() }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: out + err }),
    )
  })
}

/** The environment without what this vitest has put into it. */
const cleanEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_|BACKLOT_)/.test(name)),
  ),
  NO_COLOR: '1',
})
