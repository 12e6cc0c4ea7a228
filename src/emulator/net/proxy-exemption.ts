const PROXIES = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']

/**
 * Exemption of the emulator from the proxy of an environment (`NO_PROXY`): many clients use the proxy also for addresses
 * of the machine itself. In addition to what is exempt already, in either spelling.
 * @returns the variables to set; none where the environment names no proxy, or exempts everything
 */
export const proxyExemption = (
  url: string,
  { no_proxy, NO_PROXY, ...env }: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const exempt = [no_proxy, NO_PROXY].flatMap((hosts) => hosts?.split(/[,\s]+/) ?? []).filter(Boolean)
  if (exempt.includes('*') || !PROXIES.some((name) => env[name])) return {}
  const hosts = [...new Set([...exempt, new URL(url).hostname.replace(/[[\]]/g, '')])].join(',')
  return { no_proxy: hosts, NO_PROXY: hosts }
}
