import type { ResponseOverrides } from '../task/disguise.js'
import { expiringAt } from '../task/life.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import type { TaskOverride } from './then.js'
import { overrideTimeline } from './twist-life.js'

/** A new task as a scenario has it: with another life, which still runs into its deadline, and in disguise. */
export const overrideTask = (task: Task, twist: TaskOverride, deadline: Instant | undefined): Task => {
  const life = overrideTimeline(task.life, twist)
  const disguise = disguiseOf(twist)
  return {
    ...task,
    life: deadline === undefined ? life : expiringAt(life, deadline),
    ...(disguise === undefined ? {} : { disguise }),
  }
}

const disguiseOf = ({
  withoutUrl,
  statusWord,
  progressJumpsBack,
}: TaskOverride): ResponseOverrides | undefined => {
  if (withoutUrl === undefined && statusWord === undefined && progressJumpsBack === undefined)
    return undefined
  return {
    ...(withoutUrl === undefined ? {} : { withoutUrl }),
    ...(statusWord === undefined ? {} : { statusWord }),
    ...(progressJumpsBack === undefined ? {} : { progressJumpsBack }),
  }
}
