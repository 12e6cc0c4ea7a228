import type { Header } from './openapi.js'
import type { Part } from './part.js'

/** What answers of the service carry beside their bodies (gap X3, X6). */
export const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'The id of the call, as the journal has it',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Whole seconds', schema: { type: 'integer' } },
}

const bearer = { type: 'http', scheme: 'bearer', description: 'The API key, which selects the account' }
const bareKey = { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The key alone' }
const controlToken = {
  ...{ type: 'apiKey', in: 'header', name: 'X-Backlot-Token' },
  description: 'Where the setting `controlToken` asks for it',
}

/** How callers say who they are. */
export const securitySchemes = (part: Part | undefined): Readonly<Record<string, object>> => ({
  bearer,
  ...(part === 'control' ? {} : { bareKey }),
  ...(part === 'service' ? {} : { controlToken }),
})
