/** Whether a host, as settings and URLs write it, is this machine to itself and nobody else's business. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)
