import type { Reply } from '../../core/operation.js'
import { mapTexts } from '../../core/recording/cleaner.js'

// Shorter keys are words that errors have to be able to say.
const LEAST_KEY = 8

// Words of the interface: none of them is ever what a client sent, whatever its key is called.
const words = ['code', 'param', 'type']

/**
 * A refusal that does not say the key of whoever called, though its sentences may quote what they sent: answers land in
 * logs.
 */
export const redactKey = (reply: Reply, key: string | undefined): Reply =>
  reply.status < 400 || key === undefined || key.length < LEAST_KEY
    ? reply
    : {
        ...reply,
        body: mapTexts(reply.body, (text, name) =>
          words.includes(name) ? text : text.replaceAll(key, '(key)'),
        ),
      }
