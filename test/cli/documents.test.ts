import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settingsDoc } from '../../scripts/make-settings-doc.js'
import { commands } from '../../src/cli/commands.js'

const read = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

test('docs/settings.md is what the schema says (npx tsx scripts/make-settings-doc.ts writes it)', async () => {
  expect(await read('settings.md')).toBe(settingsDoc())
})

const nameOf = (usage: string) => usage.split(' ')[0] ?? ''
const flagOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags

test.each(commands.map(({ usage, options }) => [nameOf(usage), options] as const))(
  'docs/command-line.md shows backlot %s and each of its options at work',
  async (name, options) => {
    const text = await read('command-line.md')
    expect(text).toContain(`## \`backlot ${name}`)
    for (const { flags } of options) expect(text).toMatch(new RegExp(`backlot [\\w-]+ .*${flagOf(flags)}\\b`))
  },
)
