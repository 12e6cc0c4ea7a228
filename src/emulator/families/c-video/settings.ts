import { z } from 'zod'

/** Settings of family C, whose answers E shares. */
export const videoSettings = {
  videoStatusWords: z
    .enum(['specification', 'openai-style'])
    .default('specification')
    .describe('status words of C and E (C4)'),
  metadataUrl: z
    .enum(['signed', 'content'])
    .default('signed')
    .describe(
      'what metadata.url of C and E is: the signed URL of the result, or the path with /content that needs the key (C3)',
    ),
}
