import { appendFile } from 'node:fs/promises'
import { escapeMarkup } from './document.js'

/** Test case of a JUnit document. */
interface JunitCase {
  readonly name: string
  readonly classname: string
  readonly seconds?: number
  /** Undefined: it passed. */
  readonly failure?: { readonly message: string; readonly text: string } | undefined
  /** Why it was not run; undefined: it was. */
  readonly skipped?: string | undefined
}

/** JUnit XML of a suite, as CI systems read it. */
export const junitXml = (suite: string, cases: readonly JunitCase[]): string => {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter(({ skipped }) => skipped !== undefined).length
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...cases.flatMap(caseLines),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const caseLines = ({ name, classname, seconds = 0, failure, skipped }: JunitCase): string[] => {
  const head = `    <testcase name="${escaped(name)}" classname="${escaped(classname)}" time="${seconds.toFixed(3)}"`
  if (failure === undefined && skipped === undefined) return [`${head}/>`]
  const inner =
    failure === undefined
      ? `<skipped message="${escaped(skipped ?? '')}"/>`
      : `<failure message="${escaped(failure.message)}">${escaped(failure.text)}</failure>`
  return [`${head}>`, `      ${inner}`, '    </testcase>']
}

// Characters that XML 1.0 cannot hold at all.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escaped = (text: string): string => escapeMarkup(text.replace(UNWRITABLE, ''))

/** Appends Markdown to the summary of a GitHub job. Does nothing elsewhere. */
export const appendSummary = async (markdown: string): Promise<void> => {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (file !== undefined && file !== '') await appendFile(file, `${markdown}\n`)
}

/** Annotation of a GitHub job, a line on standard output: `::error title=…::message`. */
export const annotation = (level: 'error' | 'warning' | 'notice', title: string, message: string): string =>
  `::${level} title=${inProperty(title)}::${inMessage(message)}`

const inMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const inProperty = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
