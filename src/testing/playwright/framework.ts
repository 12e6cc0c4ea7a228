import type { TestInfo, WorkerInfo } from '@playwright/test'
import { EmulatorError } from '../../emulator/surface/records.js'
import { type Framework, type RunningTest, sharedByEnvironment } from '../framework.js'

type TestHook = (test: RunningTest) => Promise<void>

/** Hooks that the helper has asked for. Fixtures run them: Playwright takes hooks only from the files of tests. */
export interface Hooks {
  readonly beforeAll: (() => Promise<void>)[]
  readonly afterAll: (() => Promise<void>)[]
  readonly beforeEach: TestHook[]
  readonly afterEach: TestHook[]
}

/** Adapter of a worker of Playwright, which runs one test at a time. */
export const createFramework = (
  worker: Pick<WorkerInfo, 'parallelIndex' | 'project'>,
): { readonly framework: Framework<never>; readonly hooks: Hooks } => {
  const hooks: Hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] }
  const framework: Framework<never> = {
    beforeAll: (run) => void hooks.beforeAll.push(run),
    afterAll: (run) => void hooks.afterAll.push(run),
    beforeEach: (run) => void hooks.beforeEach.push(run),
    afterEach: (run) => void hooks.afterEach.push(run),
    knowsWhoCalls: true,
    isContext: () => true,
    atEndOf: () => {
      throw new EmulatorError(
        'A worker of Playwright runs one test at a time, to which each account belongs.',
        {
          code: 'bad-option',
          hint: 'Leave out test.',
        },
      )
    },
    // The folder of the tests: which of its files runs first is not known yet, and their package is the same.
    file: () => worker.project.testDir,
    shared: sharedByEnvironment,
    worker: () => String(worker.parallelIndex),
  }
  return { framework, hooks }
}

/** Name of the attachment of a failed test that says what happened. */
export const TIMELINE = 'backlot timeline'

const FAILED: readonly (string | undefined)[] = ['failed', 'timedOut', 'interrupted']

/** The test that runs, before and after its body. */
export const runningTest = (info: TestInfo): RunningTest => {
  // The first is the file. Repetitions may run at the same time, on one emulator.
  const titles = info.titlePath.slice(1)
  const repetition = info.repeatEachIndex === 0 ? [] : [String(info.repeatEachIndex + 1)]
  return {
    id: `${info.testId} ${info.retry} ${info.repeatEachIndex}`,
    file: info.file,
    project: info.project.name,
    name: [...titles, ...repetition].join(' '),
    isConcurrent: false,
    hasFailed: FAILED.includes(info.status),
    report: (text) => info.attach(TIMELINE, { body: text, contentType: 'text/plain' }),
  }
}
