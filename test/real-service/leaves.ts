/** Values of a document, by their paths. */
export const leaves = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value) && value.every((item) => typeof item === 'object'))
    return value.flatMap((item, index) => leaves(item, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`))
}
