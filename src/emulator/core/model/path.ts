/** Paths of URLs, and their templates: `/tasks/{task_id}`. */

/** A part of a URL without its percent-encoding; the part itself where that is malformed. */
export const percentDecoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The names of the parameters of a template. */
export const paramNames = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** Matcher of a template: the parameters in a path, or undefined where the path is of another template. */
export const pathMatcher = (template: string) => {
  const names = paramNames(template)
  const expression = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`)
  return (path: string): Record<string, string> | undefined => {
    const values = expression.exec(path)?.slice(1)
    return (
      values &&
      Object.fromEntries(names.map((name, index) => [name, percentDecoded(values[index] as string)]))
    )
  }
}

/** The path of a template with its parameters filled in; one without a value stays as its name. */
export const fillPath = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] || name))
