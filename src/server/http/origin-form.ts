/**
 * A request target as the path and query that it asks for. A client that takes the emulator for its proxy names the whole
 * URL, which every server has to accept (RFC 9112, 3.2.2); whose name stands in it is nobody's business here.
 */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
