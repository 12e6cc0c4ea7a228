/**
 * Maps every text inside a JSON value. Parts without a change are not copied. `name` is the field in which a text stands,
 * empty for items of a list.
 */
export const mapTexts = (
  value: unknown,
  change: (text: string, name: string) => string,
  name = '',
): unknown => {
  if (typeof value === 'string') return change(value, name)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value).map(
    ([field, inner]) => [field, mapTexts(inner, change, field)] as const,
  )
  const isSame = entries.every(([field, inner]) => inner === (value as Record<string, unknown>)[field])
  return isSame ? value : Object.fromEntries(entries)
}
