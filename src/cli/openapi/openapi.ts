import { DEFAULT_URL, openApiDocument } from '../../openapi/index.js'
import { type Part, parts } from '../../openapi/part.js'
import type { Given } from '../command.js'
import { usageError } from '../failure.js'

/** Prints the OpenAPI document. @throws EmulatorError `wrong-usage` */
export const runOpenApi = async ({ options }: Given): Promise<number> => {
  const document = await openApiDocument({ part: partOf(options.part), server: serverOf(options.server) })
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
