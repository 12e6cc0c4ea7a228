import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

const INTRODUCTION = `# Backlot

> An emulator of an image and video generation service: its validation, errors, task lifecycle, expiry and callbacks in one process,
> with real pictures and videos. Teams that integrate with the service run their tests against it.

Paths below are those of the npm package \`backlot\`. How to test a client with it: skills/backlot/SKILL.md. A server of the Model
Context Protocol: \`npx backlot mcp\`, docs/agents.md.
`

/** The text of llms.txt: the lists of docs/README.md, as headings and links with a sentence each. */
export const llmsText = (): string => {
  const lines = readFileSync('docs/README.md', 'utf8').split('\n')
  const listed = lines.flatMap((line) => {
    if (/^##+ /.test(line)) return ['', line.replace('###', '##'), '']
    return line.startsWith('- [') ? [withPaths(line)] : []
  })
  return `${INTRODUCTION}${listed.join('\n')}\n`
}

/** A line whose links begin at the folder of the package instead of `docs`. */
const withPaths = (line: string): string =>
  line.replace(/\]\((?!\w+:)([^)]+)\)/g, (_, path: string) => `](${posix.join('docs', path)})`)
