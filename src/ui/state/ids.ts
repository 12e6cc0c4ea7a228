/** An id in a few characters: what comes before its date or number, and its end, where ids differ. */
export const shortId = (id: string): string => {
  if (id.length <= 16) return id
  const prefix = /^[a-z]+[-_]/i.exec(id)?.[0] ?? ''
  return `${prefix}…${id.slice(-7)}`
}
