import { type CliCommand, jsonText, parsedOption, printDocument } from '../command/command.js'
import { openApiDocument } from '../emulator/surface/starting.js'

const parts = ['service', 'control'] as const

export const command: CliCommand = {
  usage: 'openapi',
  description: 'print the OpenAPI 3.1 document of the service and of the control API',
  options: [
    { flags: '--part <name>', description: 'service or control; default: both' },
    { flags: '--server <url>', description: 'base URL of the emulator; default: http://127.0.0.1:4650' },
  ],
  examples: [
    ['backlot openapi > openapi.json', 'for a generator of clients, or a viewer'],
    ['backlot openapi --part service --server http://emulator:4650', 'the service alone'],
  ],
  run: async ({ options }) => {
    const part = parsedOption('--part', options.part, `one of ${parts.join(', ')}`, (text) =>
      parts.find((name) => name === text),
    )
    const server = parsedOption('--server', options.server, 'a URL', (text) =>
      URL.canParse(text) ? text.replace(/\/+$/, '') : undefined,
    )
    const document = await openApiDocument({ part, server })
    return printDocument(jsonText(document))
  },
}
