import { actions } from '../control/actions/index.js'
import { DEFAULT_URL, openApiDocument } from '../openapi/document.js'
import { type Part, parts } from '../openapi/objects.js'
import { type Arguments, type CliCommand, usageError } from './command.js'

export const command: CliCommand = {
  usage: 'openapi',
  description: 'print the OpenAPI 3.1 document of the service and of the control API',
  options: [
    { flags: '--part <name>', description: 'service or control; default: both' },
    { flags: '--server <url>', description: 'base URL of the emulator; default: http://127.0.0.1:4010' },
  ],
  examples: [
    ['backlot openapi > openapi.json', 'for a generator of clients, or a viewer'],
    ['backlot openapi --part service --server http://emulator:4010', 'the service alone'],
  ],
  run: async (args) => runOpenApi(args),
}

/** Prints the OpenAPI document. @throws EmulatorError `wrong-usage` */
const runOpenApi = async ({ options }: Arguments): Promise<number> => {
  const document = await openApiDocument(actions, {
    part: partOf(options.part),
    server: serverOf(options.server),
  })
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return 0
}

const partOf = (given: unknown): Part | undefined => {
  const part = parts.find((one) => one === given)
  if (part !== undefined || given === undefined) return part
  throw usageError(`--part must be one of ${parts.join(', ')}, found ${JSON.stringify(given)}.`)
}

const serverOf = (given: unknown = DEFAULT_URL): string => {
  if (typeof given === 'string' && URL.canParse(given)) return given.replace(/\/+$/, '')
  throw usageError(`--server must be a URL, found ${JSON.stringify(given)}.`)
}
