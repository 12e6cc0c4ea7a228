/** Variables by name, with `{url}`, `{port}` and `{key}` still to be filled in. */
export type Templates = Readonly<Record<string, string>>

/** Environment variables that are set for a while. */
export interface Environment {
  /** Sets those that name nothing but what is given; those that name more are left for later. */
  set(given: Readonly<Partial<Record<'url' | 'key', string>>>): void
  /** Puts everything back as it was before the first `set`. */
  restore(): void
}

export const createEnvironment = (
  templates: Templates,
  variables: Record<string, string | undefined> = process.env,
): Environment => {
  const before = new Map<string, string | undefined>()
  const put = (name: string, value: string | undefined) => {
    // Assigning undefined would make it the text "undefined".
    if (value === undefined) delete variables[name]
    else variables[name] = value
  }
  return {
    set: (given) => {
      const values = { ...given, port: given.url === undefined ? undefined : portOf(given.url) }
      for (const [name, template] of Object.entries(templates)) {
        const value = filled(template, values)
        if (value === undefined) continue
        if (!before.has(name)) before.set(name, variables[name])
        put(name, value)
      }
    },
    restore: () => {
      for (const [name, value] of before) put(name, value)
      before.clear()
    },
  }
}

/** Whether a variable has the key of an account in it, so that it changes with it. */
export const namesKey = (templates: Templates): boolean =>
  Object.values(templates).some((template) => template.includes('{key}'))

const portOf = (url: string): string => {
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}

const filled = (
  template: string,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const isKnown = [...template.matchAll(/\{(url|port|key)\}/g)].every(
    ([, name]) => values[name as string] !== undefined,
  )
  return isKnown
    ? template.replace(/\{(url|port|key)\}/g, (_, name: string) => values[name] as string)
    : undefined
}
