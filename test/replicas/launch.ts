import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** `backlot start` as it was built, in a process that ends with the test. */
export const launch = (args: readonly string[], { env = {}, node = [] as readonly string[] } = {}) => {
  const program = [...node, 'dist/cli.js', 'start', '--port', '0', '--json', ...args]
  const child = spawn(process.execPath, program, { env: { ...process.env, ...env } })
  // Its streams have ended as well.
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      printed += text
    })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  /** URL at which it listens. */
  const ready = async (): Promise<string> => JSON.parse((await lines.next()).value as string).url
  return { child, ended, ready, printed: () => printed }
}
