import { isRecord } from '../../src/emulator/core/request.js'
import type { Framework, RunningTest, SharedServer } from '../../src/testing/framework.js'

type Hook = (test: RunningTest) => Promise<void>

export interface Given {
  readonly shared?: SharedServer
  readonly knowsWhoCalls?: boolean
}

/** A test framework that runs what it is told to, so that failing tests can be looked at. */
export const fakeFramework = ({ shared, knowsWhoCalls = true }: Given = {}) => {
  const before: (() => Promise<void>)[] = []
  const after: (() => Promise<void>)[] = []
  const beforeEach: Hook[] = []
  const afterEach: Hook[] = []
  const atEnd = new Map<unknown, Hook[]>()

  const framework: Framework<RunningTest> = {
    beforeAll: (run) => void before.push(run),
    afterAll: (run) => void after.push(run),
    beforeEach: (run) => void beforeEach.push(run),
    afterEach: (run) => void afterEach.push(run),
    knowsWhoCalls,
    isContext: isRecord,
    atEndOf: (test, run) => {
      atEnd.set(test.id, [...(atEnd.get(test.id) ?? []), run])
      return test
    },
    file: () => 'file.test.ts',
    shared: () => shared,
    worker: () => '7',
  }

  let latest = 0
  /** Runs a test: its hooks and its body. What they throw is thrown, and the hooks after it run all the same. */
  const run = async (
    name: string,
    body: (test: RunningTest) => Promise<void>,
    change: Partial<RunningTest> = {},
  ) => {
    latest += 1
    const test: RunningTest = {
      id: String(latest),
      file: 'file.test.ts',
      name,
      isConcurrent: false,
      ...change,
    }
    for (const hook of beforeEach) await hook(test)
    try {
      await body(test)
    } finally {
      for (const hook of [...afterEach, ...(atEnd.get(test.id) ?? [])]) await hook(test)
    }
  }

  return {
    framework,
    run,
    /** Runs what a file of tests does, between the hooks around it. */
    file: async (tests: () => Promise<void>) => {
      for (const hook of before) await hook()
      try {
        await tests()
      } finally {
        for (const hook of after) await hook()
      }
    },
  }
}
