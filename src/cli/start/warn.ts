/** One line on standard error, where it does not mix with what programs read. */
export const warn = (line: string): void => {
  process.stderr.write(`backlot: ${line}\n`)
}
