import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { projectWith } from '../testing/project.js'

/** What a module that shares helpers between tests exports without a type of its own. */
const helpersOf = (entry: string): string => `
import { useEmulator } from '${entry}'
export const emulator = useEmulator()
export const fresh = async () => ({ account: await emulator.freshAccount(), count: 1 })
export const handles = () => ({ ...emulator.account('key') })
export const ends = () => emulator.looseEnds()
`

const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['vitest', 'jest', 'node-test'].map((name) => [`${name}.ts`, helpersOf(`backlot/${name}`)]),
  ),
  'index.ts': `
import { connectEmulator, startEmulator } from 'backlot'
export const start = async () => ({ emulator: await startEmulator(), other: connectEmulator('http://127.0.0.1:1') })
export const handles = async () => ({ ...(await start()).emulator.account('key') })
`,
  'testcontainers.ts': `
import { type StartableContainer, type StartedContainer, startContainer } from 'backlot/testcontainers'
export const start = (image: StartableContainer<StartedContainer>) => startContainer(image)
export const handles = async (image: StartableContainer<StartedContainer>) => ({ ...(await start(image)).account('key') })
`,
  'matchers.ts': `
import { matchers } from 'backlot/matchers'
export const mine = { ...matchers }
`,
}

// One program for each: what one file imports can be named in the others.
test.each(Object.keys(files))(
  'what is made with the package can be declared: %s',
  (name) => {
    const folder = projectWith({ ...files, 'package.json': '{ "type": "module" }' })
    const program = ts.createProgram([join(folder, name)], {
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      ...{ target: ts.ScriptTarget.ES2022, strict: true, skipLibCheck: true, preserveSymlinks: true },
      ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')], declaration: true, outDir: 'out' },
    })
    const found = ts.getPreEmitDiagnostics(program)
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
  },
  60_000,
)

test.each(['index', 'vitest', 'jest', 'node-test', 'matchers', 'testcontainers'])(
  'the module %s exports each value that its declarations export',
  async (name) => {
    const file = resolve('dist', `${name}.d.ts`)
    const program = ts.createProgram([file], { skipLibCheck: true, types: [] })
    const checker = program.getTypeChecker()
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile) as ts.Symbol
    const isValue = (symbol: ts.Symbol): boolean => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
      return ((isAlias ? checker.getAliasedSymbol(symbol) : symbol).flags & ts.SymbolFlags.Value) !== 0
    }
    const declared = checker.getExportsOfModule(module).filter(isValue)
    const code = await import(pathToFileURL(resolve('dist', `${name}.js`)).href)
    expect(declared.map((symbol) => symbol.name).sort()).toEqual(Object.keys(code).sort())
  },
  60_000,
)
