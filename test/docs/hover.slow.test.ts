import { join } from 'node:path/posix'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from './compile.js'
import { entries } from './entries.js'

/** The declarations that an entry of the built package has. */
const declarationsOf = (name: string): string =>
  join(root, `dist/${name === 'backlot' ? 'index' : name.replace('backlot/', '').replaceAll('/', '-')}.d.ts`)

const FILE = join(root, 'test/docs/hovered.ts')

const built = entries.map(({ name }) => ({ name, path: declarationsOf(name) }))

const moduleOf = (path: string): string => path.replace(/\.d\.ts$/, '.js')

/** Language service over one file of a given text. */
const serviceFor = (text: string): ts.LanguageService => {
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      ...{ target: ts.ScriptTarget.ES2022, strict: true, skipLibCheck: true, types: ['node'] },
    }),
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const found = path === FILE ? text : ts.sys.readFile(path)
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === FILE || ts.sys.fileExists(path),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  }
  return ts.createLanguageService(host)
}

/** `Matchers` is of the package `expect`, `z` of zod: they are handed on as they are. */
const others = ['default', 'Matchers', 'z']

/** The names that each entry exports. */
const exportedNames = (): Map<string, readonly string[]> => {
  const text = built.map(({ path }, index) => `import * as all${index} from '${moduleOf(path)}'`).join('\n')
  const program = serviceFor(text).getProgram()
  const checker = program?.getTypeChecker()
  return new Map(
    built.map(({ name, path }) => {
      const source = program?.getSourceFile(path)
      const symbol = source === undefined ? undefined : checker?.getSymbolAtLocation(source)
      const exported = symbol === undefined ? [] : (checker?.getExportsOfModule(symbol) ?? [])
      return [name, exported.map((one) => one.name).filter((one) => !others.includes(one))]
    }),
  )
}

/** The documentation that an editor shows where each export is imported, by entry and name. */
const hovered = (): { readonly entry: string; readonly name: string; readonly text: string }[] => {
  const names = exportedNames()
  const lines = built.flatMap(({ name: entry, path }, index) =>
    (names.get(entry) ?? []).map((name) => ({
      ...{ entry, name },
      line: `import { ${name} as ${name}${index} } from '${moduleOf(path)}'\n`,
    })),
  )
  const text = lines.map(({ line }) => line).join('')
  const service = serviceFor(text)
  let start = 0
  return lines.map(({ line, entry, name }) => {
    const info = service.getQuickInfoAtPosition(FILE, start + 'import { '.length)
    start += line.length
    return { entry, name, text: (info?.documentation ?? []).map((part) => part.text).join('') }
  })
}

test('an editor shows a sentence for every export of the built package', () => {
  const shown = hovered()
  expect(shown.length).toBeGreaterThan(130)
  expect(new Set(shown.map(({ entry }) => entry)).size).toBeGreaterThan(8)
  expect(shown.filter(({ text }) => text.length < 10).map(({ entry, name }) => `${entry}: ${name}`)).toEqual(
    [],
  )
}, 120_000)

/** The members of an object type of the built package that have no documentation, and those of the objects in it. */
const undocumented = (type: ts.Type, checker: ts.TypeChecker, path: string): readonly string[] =>
  checker.getPropertiesOfType(type).flatMap((member) => {
    const name = `${path}.${member.name}`
    const of = checker.getTypeOfSymbol(member)
    const inner = of.getFlags() & ts.TypeFlags.Object ? undocumented(of, checker, name) : []
    return member.getDocumentationComment(checker).length === 0 ? [name, ...inner] : inner
  })

/** A type of the built package, by the ending of its declarations. */
const typeNamed = (name: string, ending = '.d.ts') => {
  const module = declarationsOf('backlot').replace('.d.ts', ending.replace('.d', '').replace('ts', 'js'))
  const program = serviceFor(
    `import type { ${name} } from '${module}'\nexport declare const it: ${name}`,
  ).getProgram()
  const checker = program?.getTypeChecker()
  const source = program?.getSourceFile(FILE)
  const file = source && checker?.getSymbolAtLocation(source)
  const [it] = file && checker ? checker.getExportsOfModule(file) : []
  if (checker === undefined || it === undefined) throw new Error('The file exports nothing.')
  return { checker, type: checker.getTypeOfSymbol(it) }
}

test.each(['.d.ts', '.d.cts'])(
  'an editor shows a sentence for every handle, by %s',
  (ending) => {
    const { checker, type } = typeNamed('EmulatorHandles', ending)
    expect(checker.getPropertiesOfType(type).length).toBeGreaterThan(15)
    expect(undocumented(type, checker, 'emulator')).toEqual([])
  },
  60_000,
)

test('an editor shows the defaults of startEmulator, not those of the command line', () => {
  const { checker, type } = typeNamed('EmulatorSettings')
  const shown = ['port', 'clock'].map((name) =>
    ts.displayPartsToString(checker.getPropertyOfType(type, name)?.getDocumentationComment(checker)),
  )
  expect(shown).toEqual([
    expect.stringContaining('default: 0.'),
    expect.stringContaining('default: "on-poll".'),
  ])
}, 60_000)
