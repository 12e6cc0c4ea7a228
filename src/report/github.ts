import { appendFile } from 'node:fs/promises'

/** Appends Markdown to the summary of a GitHub job. Does nothing elsewhere. */
export const appendSummary = async (
  markdown: string,
  { GITHUB_STEP_SUMMARY: file }: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  if (file !== undefined && file !== '') await appendFile(file, `${markdown}\n`)
}

/** Annotation of a GitHub job, a line on standard output: `::error title=…::message`. */
export const annotation = (level: 'error' | 'warning' | 'notice', title: string, message: string): string =>
  `::${level} title=${inProperty(title)}::${inMessage(message)}`

const inMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const inProperty = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
