/** Named parts that may not stand together: all but the first of those that are there are complained of. */
export const onlyOne = (part: object, names: readonly string[], why: string): string[] => {
  const [first, ...others] = names.filter((name) => (part as Record<string, unknown>)[name] !== undefined)
  return others.map((other) => `${first} and ${other} cannot be together: ${why}`)
}
