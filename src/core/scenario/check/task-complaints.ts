import type { Then } from '../then.js'
import type { CatalogueFamily } from './catalogue.js'
import { onlyOne } from './only-one.js'

/** What cannot be together in another life of a task. */
export const taskComplaints = (task: Then['task'], families: readonly CatalogueFamily[]): string[] => {
  if (task === undefined) return []
  const { queuedFor, runningFor, fails, expires, withoutUrl } = task
  const lastsForEver = queuedFor === 'ever' || runningFor === 'ever'
  const never = families.find(({ states }) => !states.includes('expired'))
  return [
    ...onlyOne(task, ['fails', 'expires', 'finishes'], 'a task ends once'),
    ...onlyOne(task, ['finishes', 'queuedFor'], 'what finishes at once does not wait'),
    ...onlyOne(task, ['finishes', 'runningFor'], 'what finishes at once does not run'),
    ...(queuedFor === 'ever' && runningFor !== undefined
      ? ['queuedFor ever and runningFor cannot be together: the task never runs']
      : []),
    ...(lastsForEver && fails !== undefined && fails.after === undefined
      ? ['fails needs after where a task would last for ever']
      : []),
    ...(withoutUrl && (lastsForEver || fails !== undefined || expires !== undefined)
      ? ['withoutUrl is for tasks that succeed, and this one does not']
      : []),
    ...(expires !== undefined && never !== undefined ? [`tasks of ${never.id} never expire`] : []),
  ]
}
