import type { Given } from '../command.js'
import { usageError } from '../failure.js'

/** A variable of the command and what it is made from: `VIDEO_API_BASE`, `{url}/provB/api/v3`. */
export interface Template {
  readonly name: string
  readonly text: string
}

/** Reads every `--env NAME=TEMPLATE`. @throws EmulatorError `wrong-usage` */
export const readTemplates = (given: Given['options'][string]): Template[] =>
  (Array.isArray(given) ? given : []).map((written: string) => {
    const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(written) ?? []
    if (name !== undefined && text !== undefined) return { name, text }
    throw usageError(
      `--env wants NAME=TEMPLATE, found ${JSON.stringify(written)}.`,
      "For example --env VIDEO_API_BASE='{url}/provB/api/v3'.",
    )
  })

/** The variables with `{url}` and `{port}` filled in; other braces stay as they are. */
export const filled = (
  templates: readonly Template[],
  { url, port }: { readonly url: string; readonly port: number },
): Record<string, string> =>
  Object.fromEntries(
    templates.map(({ name, text }) => [
      name,
      text.replaceAll('{url}', url).replaceAll('{port}', String(port)),
    ]),
  )
