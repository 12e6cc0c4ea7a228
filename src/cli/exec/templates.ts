import { nearest } from '../../core/request/nearest.js'
import type { Given } from '../command.js'
import { usageError } from '../failure.js'

/** A variable of the command and what it is made from: `VIDEO_API_BASE`, `{url}/provB/api/v3`. */
export interface Template {
  readonly name: string
  readonly text: string
}

/** Reads every `--env NAME=TEMPLATE`. @throws EmulatorError `wrong-usage`, for placeholders that nobody fills in too */
export const readTemplates = (given: Given['options'][string]): Template[] =>
  (Array.isArray(given) ? given : []).map((written: string) => {
    const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(written) ?? []
    if (name !== undefined && text !== undefined) return withKnownPlaces({ name, text })
    throw usageError(
      `--env wants NAME=TEMPLATE, found ${JSON.stringify(written)}.`,
      "For example --env VIDEO_API_BASE='{url}/provB/api/v3'.",
    )
  })

const PLACES = ['url', 'port']

// A word alone in braces. JSON, an empty object, a number of repetitions and a shell's ${VARIABLE} are none.
const PLACE = /(?<!\$)\{([A-Za-z]\w*)\}/g

const withKnownPlaces = (template: Template): Template => {
  const [, stranger] =
    [...template.text.matchAll(PLACE)].find(([, place = '']) => !PLACES.includes(place)) ?? []
  if (stranger === undefined) return template
  const meant = nearest(stranger, PLACES)
  throw usageError(
    `--env ${template.name} has {${stranger}}, and only {url} and {port} are filled in${meant === undefined ? '.' : `: did you mean {${meant}}?`}`,
    `To have braces as they stand, set the variable before the command: ${template.name}=… backlot exec -- …`,
  )
}

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
