import { execFileSync } from 'node:child_process'
import { afterAll, describe } from 'vitest'
import { createRedisProcess } from './redis-process.js'

const isInstalled = (): boolean => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** `describe` for tests that need redis-server. They are skipped with a sentence where it is missing, and never where REDIS_SERVER=required. */
export const describeWithRedis = (name: string, tests: () => void): void => {
  if (process.env.REDIS_SERVER === 'required' || isInstalled())
    describe(name, () => {
      afterAll(async () => {
        for (const server of running.splice(0)) await server.remove()
      })
      tests()
    })
  else {
    console.warn(`Skipped, since redis-server is not installed here: ${name}.`)
    describe.skip(name, tests)
  }
}

/** The servers that the tests of this block have started. */
const running: Awaited<ReturnType<typeof createRedisProcess>>[] = []

/** A Redis server of its own for a test file. */
export const startRedis = async (...given: Parameters<typeof createRedisProcess>) => {
  const server = await createRedisProcess(...given)
  // A hook that is registered while a test runs is never called.
  running.push(server)
  await server.start()
  return server
}
