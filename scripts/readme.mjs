import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const text = readFileSync('README.md', 'utf8')

/** The first piece of code under a heading of the README. */
const codeUnder = (heading) => {
  const [, code] = new RegExp(`^#+ ${heading}\\n.*?^\`\`\`js\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  if (code === undefined) throw new Error(`README.md has no code under "${heading}".`)
  return code
}

const client = codeUnder('A first test')
const asCommonJs = `${client.replace('export const', 'const')}\nmodule.exports = { makeVideo }\n`

/** A first test as the README has it, for each framework: what `npm init` makes, and what the reader adds to it. */
const firstTests = {
  vitest: { test: 'vitest run', installs: ['vitest'], client, type: 'commonjs' },
  Jest: { test: 'jest', installs: ['jest'], client: asCommonJs, type: 'commonjs' },
  'node:test': { test: 'node --test', installs: [], client, type: 'module' },
}

/** Writes the first tests of the README as projects into a folder, and gives their names. */
export const writeFirstTests = (folder) =>
  Object.entries(firstTests).map(([heading, { test, installs, client: video, type }]) => {
    const name = `readme-${heading.toLowerCase().replace(':', '-')}`
    const home = join(folder, name)
    mkdirSync(home, { recursive: true })
    const devDependencies = Object.fromEntries([...installs, 'backlot'].map((one) => [one, '*']))
    const manifest = { name, version: '1.0.0', type, scripts: { test }, devDependencies }
    writeFileSync(join(home, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(home, 'video.js'), video)
    writeFileSync(join(home, 'video.test.js'), codeUnder(heading))
    return name
  })
