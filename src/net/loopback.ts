/** Loopback check: whether a host, as settings and URLs write it, is reachable from this machine alone. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)
