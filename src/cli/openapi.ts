import { type CliCommand, jsonText, parsedOption, printDocument } from '../command/command.js'
import { serviceOptions } from '../command/settings/read.js'
import { readService } from '../command/settings/service.js'
import { openApiDocument } from '../emulator/surface/starting.js'

const parts = ['service', 'control'] as const

export const command: CliCommand = {
  usage: 'openapi',
  description: 'print the OpenAPI 3.1 document of the service and of the control API',
  options: [
    { flags: '--part <name>', description: 'service or control; default: both' },
    { flags: '--server <url>', description: 'base URL of the emulator; default: http://127.0.0.1:4650' },
    ...serviceOptions(),
  ],
  examples: [
    ['backlot openapi > openapi.json', 'for a generator of clients, or a viewer'],
    ['backlot openapi --part service --server http://emulator:4650', 'the service alone'],
    ['backlot openapi --profile my-service.yaml > mine.json', 'with what a profile changes and adds'],
  ],
  run: async ({ options }) => {
    const part = parsedOption('--part', options.part, `one of ${parts.join(', ')}`, (text) =>
      parts.find((name) => name === text),
    )
    const server = parsedOption('--server', options.server, 'a URL', (text) =>
      URL.canParse(text) ? text.replace(/\/+$/, '') : undefined,
    )
    const { throughProfile } = await readService(options)
    const document = await openApiDocument({ part, server, registry: await throughProfile() })
    return printDocument(jsonText(document))
  },
}
