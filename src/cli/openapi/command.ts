import type { CliCommand } from '../command.js'

export const openapi: CliCommand = {
  usage: 'openapi',
  says: 'print the OpenAPI 3.1 document of the service and of the control API',
  options: [
    { flags: '--part <name>', says: 'service or control; left out: both' },
    { flags: '--server <url>', says: 'where the emulator answers; left out: http://127.0.0.1:4010' },
  ],
  examples: [
    ['backlot openapi > openapi.json', 'for a generator of clients, or a viewer'],
    ['backlot openapi --part service --server http://emulator:4010', 'the service alone'],
  ],
  run: async (given) => (await import('./openapi.js')).runOpenApi(given),
}
