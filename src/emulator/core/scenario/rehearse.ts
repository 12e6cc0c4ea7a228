import { type FileSpec, shapeOf } from '../media/spec.js'
import { beginRun, type ScenarioRun } from '../model/account.js'
import { mediaOf, type Task } from '../model/task.js'
import { resultIndexIn } from '../result.js'
import { type Instant, lastOf } from '../schedule/time.js'
import { withoutIdleEffects } from './apply.js'
import { type OtherTask, otherTasks } from './effects/effect.js'
import { fileUnder } from './effects/index.js'
import { fileContextOf } from './effects/other-file.js'
import { countMatch, type MatchInput, matchStep, type ScenarioMatch } from './match.js'
import type { Scenario } from './schema.js'

/** Call or callback that a scenario is rehearsed with, and how it was answered. */
export interface RehearsedCall {
  readonly input: MatchInput
  readonly makesSomething: boolean
  readonly hasFile: boolean
  /** Undefined where the call is no download, and where it is unknown what file it asks for. */
  readonly file?: RehearsedFile | undefined
}

/** File of a result as a rehearsal knows it. */
export interface RehearsedFile {
  /** All of it that an effect can change. */
  readonly shape: FileSpec
  /** The other tasks that have a result of its kind. */
  readonly others: readonly OtherTask[]
}

/**
 * What a rehearsal has to know of the file that a call asked for; undefined: the task has no such file.
 * @param tasks those of the account
 * @param path of the call; one that names no number among the results of the task is about the first one
 */
export const rehearsedFileOf = (
  tasks: ReadonlyMap<string, Task>,
  task: Task,
  path: string,
  now: Instant,
): RehearsedFile | undefined => {
  const spec = mediaOf(lastOf(task.timeline).value)[resultIndexIn(path) ?? 0]
  if (spec === undefined) return undefined
  const { otherFile } = fileContextOf({ tasks }, task.id, now)
  return { shape: shapeOf(spec), others: otherTasks.filter((which) => otherFile(spec, which) !== undefined) }
}

/**
 * Whether a step of a scenario would act on one of these calls and callbacks, which are in order. Steps are matched without their
 * times, probability and account: these may differ when the calls are made again.
 */
export const wouldAct = (scenario: Scenario, calls: Iterable<RehearsedCall>): boolean => {
  const wide = { ...scenario, steps: scenario.steps.map(widened) }
  const runs = new Map<string, readonly ScenarioRun[]>()
  for (const { input, ...answer } of calls) {
    const before = runs.get(input.account) ?? [beginRun(wide, 1, 0)]
    const matched = matchStep(before, input)
    const match = withoutIdleEffects(matched, { ...answer, idle: idleOn(answer.file, matched) })
    if (match.step !== undefined) return true
    runs.set(input.account, countMatch(before, match))
  }
  return false
}

/** Effects of the step that acts which find nothing to act on in a file. */
const idleOn = (file: RehearsedFile | undefined, { step }: ScenarioMatch): readonly string[] => {
  if (file === undefined || step === undefined) return []
  const { shape, others } = file
  const otherFile = (_: FileSpec, which: OtherTask) => (others.includes(which) ? { ...shape } : undefined)
  return fileUnder(shape, step.effects, { otherFile }).idle
}

const widened = ({ when, ...step }: Scenario['steps'][number]): Scenario['steps'][number] => {
  const { from: _from, until: _until, probability: _probability, account: _account, ...rest } = when
  return { ...step, when: rest }
}
