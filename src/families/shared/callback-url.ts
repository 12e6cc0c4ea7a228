import { z } from 'zod'
import { isHttpUrl } from './http-url.js'

const error = 'an HTTP or HTTPS URL'

/** Where callbacks go: a URL of the form that media URLs have to have (gap B17, F7). */
export const callbackUrl = z.string({ error }).refine(isHttpUrl, { error }).meta({ format: 'uri' }).optional()
