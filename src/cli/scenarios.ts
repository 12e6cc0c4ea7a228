import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { type CliCommand, printDocument } from '../command/command.js'
import { createLibrary, descriptionOf, type Library } from '../emulator/surface/scenarios.js'

export const command: CliCommand = {
  usage: 'scenarios [name]',
  description: 'list the ready-made scenarios, or print one of them as a file to begin with',
  options: [],
  examples: [
    ['backlot scenarios', 'each name, and what it does to a client'],
    ['backlot scenarios callback-lost > mine.yaml', 'a copy to change'],
    ['backlot start --scenario callback-lost', 'plays it'],
  ],
  run: async ({ operands: [name] }) => {
    const library = createLibrary()
    return printDocument(name === undefined ? await listing(library) : await textOf(library, name))
  },
}

const listing = async (library: Library): Promise<string> => {
  const names = await library.names()
  const width = Math.max(...names.map(({ length }) => length))
  const lines = names.map(
    async (name) => `${name.padEnd(width)}  ${descriptionOf(await library.read(name))?.trim()}\n`,
  )
  return (await Promise.all(lines)).join('')
}

// Read as a scenario first, so that a misspelt name is answered with the nearest one. Editors find the schema in the package:
// from the working directory where it is installed below it.
const textOf = async (library: Library, name: string): Promise<string> => {
  const scenario = await library.read(name)
  const text = await readFile(join(library.folder, `${scenario.name}.yaml`), 'utf8')
  const schema = relative(process.cwd(), join(library.folder, 'scenario.schema.json'))
  const path = schema.startsWith('..') ? resolve(schema) : schema
  return text.replace('./scenario.schema.json', () => path.replaceAll('\\', '/'))
}
