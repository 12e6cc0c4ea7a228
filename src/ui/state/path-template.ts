/** Path templates of operations: `/tasks/{task_id}`. */

/** The names of the parameters. */
export const paramNames = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** The parameters in a path; undefined: the path is of another template. */
export const pathParams = (template: string, path: string): Record<string, string> | undefined => {
  const match = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
  if (match === null) return undefined
  const values = match.slice(1).map(decodeURIComponent)
  return Object.fromEntries(paramNames(template).map((name, index) => [name, values[index] ?? '']))
}

/** The path with its parameters filled in; one without a value stays as its name. */
export const fillPath = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] || name))
