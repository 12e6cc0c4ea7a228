import { readFileSync } from 'node:fs'
import ts from 'typescript'

const INTRODUCTION = `# The API of the package

<!-- Written by npm run generate from the doc comments in src. Change them there. -->

What \`startEmulator\`, \`connectEmulator\` and the helpers for tests return: an object whose parts are called handles. Every handle
answers with plain data, as the [control API](control-api.md) does, wherever the emulator runs. Types such as \`TaskRecord\` are
exports of the package; their fields are in the tables of [control-api.md](control-api.md#taskrecord). A \`Duration\` is \`250ms\`, \`10s\`,
\`5m\`, \`24h\`, \`14d\`, or a number of milliseconds.

What goes wrong is thrown as an \`EmulatorError\` with a \`code\`, which is what "Errors" lists below, and a \`hint\`;
[errors.md](errors.md) has all codes. Over HTTP each handle may also reject with \`unreachable\`, \`not-an-emulator\` or \`token-needed\`.
`

/** A part of the page: a declaration of a source file, and what stands above its members. */
interface Part {
  readonly heading: string
  readonly file: string
  readonly declarations: readonly string[]
  /** What a call of a member begins with: `emulator.tasks.`. */
  readonly prefix?: string
}

const parts: readonly Part[] = [
  {
    heading: 'Starting and connecting',
    file: 'src/start-emulator.ts',
    declarations: ['startEmulator'],
  },
  { heading: '', file: 'src/emulator/client/remote.ts', declarations: ['connectEmulator', 'ConnectOptions'] },
  {
    heading: 'A running emulator',
    file: 'src/emulator/client/start-emulator.ts',
    declarations: ['RunningEmulator'],
    prefix: 'emulator.',
  },
  {
    heading: 'An emulator',
    file: 'src/emulator/client/handles.ts',
    declarations: ['EmulatorHandles'],
    prefix: 'emulator.',
  },
  {
    heading: 'An account',
    file: 'src/emulator/client/handles.ts',
    declarations: ['AccountHandles'],
    prefix: 'emulator.',
  },
  {
    heading: 'The built-in receiver',
    file: 'src/emulator/client/handles.ts',
    declarations: ['InboxHandles'],
    prefix: "emulator.inbox('hook').",
  },
  {
    heading: 'In tests',
    file: 'src/testing/use-emulator.ts',
    declarations: ['AnyTestEmulator', 'FreshAccountOptions'],
    prefix: 'emulator.',
  },
  {
    heading: 'Types of the handles',
    file: 'src/emulator/client/handles.ts',
    declarations: ['Advance', 'WaitOptions', 'CountedWaitOptions', 'Paging', 'NamedStep', 'Count', 'Failing'],
  },
]

const sources = new Map<string, ts.SourceFile>()
const sourceOf = (file: string): ts.SourceFile => {
  const source =
    sources.get(file) ?? ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  sources.set(file, source)
  return source
}

/** The text of docs/api.md. */
export const apiDoc = (): string => {
  records = recordNames()
  return `${INTRODUCTION}${parts.map(partText).join('')}`
}

const partText = ({ heading, file, declarations, prefix = '' }: Part): string => {
  const source = sourceOf(file)
  const texts = declarations.map((name) => declarationText(declarationNamed(source, name), prefix))
  return (heading === '' ? '' : `\n## ${heading}\n`) + texts.join('')
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableStatement

const declarationNamed = (source: ts.SourceFile, name: string): Declaration => {
  const found = source.statements.find((statement): statement is Declaration => {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      return statement.name.text === name
    return (
      ts.isVariableStatement(statement) &&
      statement.declarationList.declarations.some(({ name: own }) => own.getText() === name)
    )
  })
  if (found === undefined) throw new Error(`${source.fileName} has no ${name}.`)
  return found
}

const declarationText = (node: Declaration, prefix: string): string => {
  if (ts.isVariableStatement(node)) return functionText(node)
  const name = node.name.text
  if (ts.isTypeAliasDeclaration(node))
    return `\n### ${name}\n${commentText(node)}\n\`\`\`\ntype ${name} = ${oneLine(node.type.getText())}\n\`\`\`\n`
  // Options and other records are tables; what has methods or is called has a heading for each of them.
  if (prefix === '') return `\n### ${name}\n${commentText(node)}${fieldTable(node.members)}`
  return `${commentText(node)}${node.members.map((member) => memberText(member, prefix)).join('')}`
}

/** A function of the package: a constant whose value is an arrow function. */
const functionText = (node: ts.VariableStatement): string => {
  const [declaration] = node.declarationList.declarations
  const arrow = declaration?.initializer
  if (declaration === undefined || arrow === undefined || !ts.isArrowFunction(arrow)) return ''
  const name = declaration.name.getText()
  // Parameters that the package does not publish are those of its own modules.
  const given = arrow.parameters.map((one) =>
    oneLine(
      `${one.name.getText()}${one.initializer || one.questionToken ? '?' : ''}: ${one.type?.getText()}`,
    ),
  )
  const signature = `${name}(${given.join(', ')}): ${oneLine(arrow.type?.getText() ?? '')}`
  return `\n### ${name}\n${signatureText(signature)}${commentText(node)}`
}

const memberText = (member: ts.TypeElement, prefix: string): string => {
  const name = member.name?.getText() ?? ''
  if (ts.isPropertySignature(member) && member.type !== undefined && ts.isTypeLiteralNode(member.type)) {
    const inner = member.type.members.map((one) => memberText(one, `${prefix}${name}.`)).join('')
    return `\n### ${prefix}${name}\n${commentText(member)}${inner}`
  }
  // Symbols cannot be linked to, and say that `await using` works.
  if (name.startsWith('[')) return ''
  const text = oneLine(member.getText().replace(/^readonly /, ''))
  const call = ts.isMethodSignature(member) ? `${name}()` : name
  // Those of a part such as `clock` stand below its heading.
  const level = prefix.split('.').length > 2 && !prefix.includes('(') ? '####' : '###'
  return `\n${level} ${prefix}${call}\n${signatureText(text)}${commentText(member)}`
}

let records: ReadonlySet<string> = new Set()

/** Names that have a table of their fields in docs/control-api.md. */
const recordNames = (): ReadonlySet<string> =>
  new Set(
    [...readFileSync('docs/control-api.md', 'utf8').matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name),
  )

const signatureText = (signature: string): string => {
  const named = [...new Set(signature.match(/\b[A-Z]\w+/g) ?? [])].filter((name) => records.has(name))
  const links = named.map((name) => `[${name}](control-api.md#${name.toLowerCase()})`)
  return `\n\`\`\`\n${signature}\n\`\`\`\n${links.length === 0 ? '' : `\nFields: ${links.join(', ')}.\n`}`
}

const fieldTable = (members: readonly ts.TypeElement[]): string => {
  const rows = members.filter(ts.isPropertySignature).map((member) => {
    const type = oneLine(member.type?.getText() ?? '').replace(/ \| undefined$/, '')
    const { text } = commentOf(member)
    return `| \`${member.name.getText()}\` | ${cell(`\`${type}\``)} | ${cell(text)} |\n`
  })
  return rows.length === 0 ? '' : `\n| Field | Type | |\n|---|---|---|\n${rows.join('')}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

interface Comment {
  readonly text: string
  readonly errors: string
  readonly examples: readonly string[]
}

const commentOf = (node: ts.Node): Comment => {
  const texts = (tag: string) =>
    ts
      .getJSDocTags(node)
      .filter(({ tagName }) => tagName.text === tag)
      .map(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? '').trim())
  const doc = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)
  return {
    text: oneLine(ts.getTextOfJSDocComment(doc?.comment) ?? ''),
    errors: oneLine(texts('throws').join('; ')).replace(/^EmulatorError /, ''),
    examples: texts('example').map((text) => text.replace(/^```\w*\n|\n?```$/g, '')),
  }
}

const commentText = (node: ts.Node): string => {
  const { text, errors, examples } = commentOf(node)
  return [
    text === '' ? '' : `\n${wrapped(text)}\n`,
    errors === '' ? '' : `\n${wrapped(`Errors: ${errors.replace(/\.?$/, '.')}`)}\n`,
    ...examples.map((code) => `\n${givenOf(code)}\`\`\`ts\n${code}\n\`\`\`\n`),
  ].join('')
}

/** What an example takes for granted, which the tests compile it with; nothing where it makes its own emulator. */
const givenOf = (code: string): string =>
  /\b(?:const|using) emulator\b/.test(code)
    ? ''
    : "<!-- given: declare const emulator: import('backlot').RunningEmulator & import('backlot/vitest').TestEmulator, id: string -->\n"

const oneLine = (text: string): string =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/([({[<]) | ([)}\]>])/g, (_, open, close) => open ?? close)
    .replaceAll(/,(?=[)}\]>])/g, '')
    .trim()

const COLUMNS = 130

/** Lines of at most 130 characters. */
const wrapped = (text: string): string =>
  text.replaceAll(new RegExp(`(.{1,${COLUMNS}})(?: |$)`, 'g'), '$1\n').trimEnd()
