import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first piece of JavaScript under a heading of a page. */
const codeUnder = (page, heading) => {
  const text = readFileSync(page, 'utf8')
  const [, code] = new RegExp(`^#+ ${heading}\\n.*?^\`\`\`js\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  if (code === undefined) throw new Error(`${page} has no code under "${heading}".`)
  return code
}

/** The first tests that the pages show, one per framework, each with what `npm init` makes and the reader adds. */
const firstTests = {
  vitest: { page: 'README.md', test: 'vitest run', installs: ['vitest'], type: 'commonjs' },
  Jest: { page: 'docs/testing.md', test: 'jest', installs: ['jest'], type: 'commonjs' },
  'node:test': { page: 'docs/testing.md', test: 'node --test', installs: [], type: 'module' },
}

/** Writes the first tests of the pages as projects into a folder, and returns their names. */
export const writeFirstTests = (folder) =>
  Object.entries(firstTests).map(([heading, { page, test, installs, type }]) => {
    const name = `readme-${heading.toLowerCase().replace(':', '-')}`
    const home = join(folder, name)
    mkdirSync(home, { recursive: true })
    const devDependencies = Object.fromEntries([...installs, 'backlot'].map((one) => [one, '*']))
    const manifest = { name, version: '1.0.0', type, scripts: { test }, devDependencies }
    writeFileSync(join(home, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(home, 'video.js'), codeUnder('README.md', 'A first test'))
    writeFileSync(join(home, 'video.test.js'), codeUnder(page, heading))
    return name
  })
