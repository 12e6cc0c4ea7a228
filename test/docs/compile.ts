import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { join } from 'node:path/posix'
import ts from 'typescript'
import { type Block, placeOf } from './blocks.js'
import { entries } from './entries.js'

/** The folder of the project, as the compiler writes paths. */
export const root = resolve('.').replaceAll('\\', '/')
const extensions: Readonly<Record<string, string>> = { ts: 'ts', js: 'mjs', mjs: 'mjs', cjs: 'cjs' }

// Where it says that it stands, or beside the sources, so that packages are found as from there.
const fileOf = ({ marks, language }: Block, index: number): string =>
  join(root, marks.file ?? `test/docs/block-${index}.${extensions[language]}`)

// A block without imports continues the beginning that its page has shown.
const BEGINNING = "import { connectEmulator, startEmulator } from 'backlot'"

const beforeCode = ({ code, marks }: Block): string =>
  `${/^import /m.test(code) ? '' : BEGINNING}\n${marks.given ?? ''}\n`

const textOf = (block: Block): string => `${beforeCode(block)}${block.code}\nexport {}\n`

/** What the compiler has against blocks of code, by their places. All are compiled at once. */
export const complaintsOfCompiler = (blocks: readonly Block[]): ReadonlyMap<string, readonly string[]> => {
  const files = new Map(blocks.map((block, index) => [fileOf(block, index), block]))
  const program = ts.createProgram([...files.keys()], options(), hostWith(files))
  return new Map(
    [...files].map(([file, block]) => {
      const source = program.getSourceFile(file)
      const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      const real = problems.filter(({ code }) => block.language === 'ts' || !untyped.includes(code))
      return [placeOf(block), real.map((problem) => diagnosticText(problem, block))]
    }),
  )
}

// JavaScript does not say of what type a parameter is (7006, and 7031 where it is taken apart), or an answer (18046).
const untyped = [7006, 7031, 18046]

const options = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'))
  const { options: own } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const paths = Object.fromEntries(entries.map(({ name, source }) => [name, [join(root, source)]]))
  // What a page declares and does not use is for its reader to use.
  return { ...own, paths, allowJs: true, checkJs: true, noUnusedLocals: false }
}

const hostWith = (files: ReadonlyMap<string, Block>): ts.CompilerHost => {
  const host = ts.createCompilerHost(options())
  const own = (path: string) => {
    const block = files.get(path)
    return block === undefined ? undefined : textOf(block)
  }
  return {
    ...host,
    directoryExists: (path) =>
      [...files.keys()].some((file) => file.startsWith(`${path}/`)) || ts.sys.directoryExists(path),
    fileExists: (path) => own(path) !== undefined || host.fileExists(path),
    readFile: (path) => own(path) ?? host.readFile(path),
    getSourceFile: (path, version, ...rest) => {
      const text = own(path)
      if (text === undefined) return host.getSourceFile(path, version, ...rest)
      return ts.createSourceFile(path, text, version)
    },
  }
}

const diagnosticText = ({ messageText, file, start = 0 }: ts.Diagnostic, block: Block): string => {
  const before = beforeCode(block).split('\n').length - 1
  const at = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line - before
  return `${block.page}:${block.line + at}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
}
