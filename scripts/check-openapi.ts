import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { actions } from '../src/emulator/control/actions/index.js'
import { openApiDocument, parts } from '../src/emulator/openapi/document.js'

/** Lints the OpenAPI document, as a whole and in its parts: `npm run check:openapi`. */

/** What a linter has against a document, a line each: the rule, what is wrong, and where. */
export const complaintsAbout = async (document: object): Promise<string[]> => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended-strict'] }),
  })
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? 'somewhere'})`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found: string[] = []
  for (const part of [undefined, ...parts])
    found.push(...(await complaintsAbout(await openApiDocument(actions, { part }))))
  for (const complaint of found) console.error(complaint)
  if (found.length > 0) process.exitCode = 1
  else console.log('The OpenAPI document is fine, as a whole and in its parts.')
}
