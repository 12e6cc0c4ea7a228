import { z } from 'zod'
import { parts } from '../../../openapi/part.js'
import { action } from '../action.js'

/** The OpenAPI document of the service and of the control API, or of one of them. */
export const readOpenApi = action({
  route: { method: 'GET', path: '/openapi.json' },
  input: z.strictObject({ part: z.enum(parts).optional() }),
  run: async ({ settings }, _key, { part }) => {
    const { cachedOpenApiDocument } = await import('../../../openapi/remembered.js')
    return cachedOpenApiDocument({ part, server: settings.publicUrl })
  },
})
