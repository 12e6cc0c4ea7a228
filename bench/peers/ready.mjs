/** Says that a server listens, as the emulator does with `--json`, and ends it when it is asked to. */
export const ready = (url) => {
  console.log(JSON.stringify({ event: 'ready', url }))
  process.once('SIGTERM', () => process.exit(0))
}

/** What a yardstick answers: `{ name, method, path, body, answer }` of each call, as JSON in the first argument. */
export const calls = JSON.parse(process.argv[2] ?? '[]').map((call) => ({
  ...call,
  // Without the query: there is one answer for each path.
  path: call.path.split('?')[0],
}))
