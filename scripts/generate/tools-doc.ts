import { describedTools } from '../../src/cli/mcp/tools.js'

const [BEGIN, END] = ['<!-- generated: tools -->', '<!-- end of generated -->']

/** docs/agents.md with the table of tools as they are. */
export const toolsDoc = async (page: string): Promise<string> => {
  const rows = (await describedTools()).map(({ name, description, annotations }) => {
    const { readOnlyHint, destructiveHint } = annotations
    const effect = readOnlyHint ? 'reads' : destructiveHint ? 'loses what has happened' : 'changes'
    return `| \`${name}\` | ${description.replace(' Changes nothing.', '').replaceAll('|', '\\|')} | ${effect} |`
  })
  const table = ['| Tool | What it does | |', '|---|---|---|', ...rows].join('\n')
  return page.replace(new RegExp(`${BEGIN}[\\s\\S]*${END}`), () => `${BEGIN}\n\n${table}\n\n${END}`)
}
