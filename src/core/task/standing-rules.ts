import type { StatedRule } from '../rule.js'
import type { AnyTaskFamily } from './family.js'

/** The rate limit, first of all (gap X6). */
export const rateLimit: StatedRule = {
  id: 'rate-limit',
  says: 'The account has accepted fewer creates and uploads in the last 60 seconds than its limit requestsPerMinute.',
  place: 'gap X6',
}

/** With the setting `strict` (gap X11). */
export const fieldsAreKnown: StatedRule = {
  id: 'strict',
  says: 'Every field is one of the interface, where the setting strict is on.',
  place: 'gap X11',
}

/** A bound of the emulator, after all rules of the service. */
export const roomForTask: StatedRule = {
  id: 'room-for-task',
  says: 'There is room for one more task (settings tasksPerAccount, tasksInAll and taskBytes), or one that has ended can go.',
  place: 'docs/operations.md',
}

/** For whatever names one task. */
export const taskExists = ({ section }: Pick<AnyTaskFamily, 'section'>): StatedRule => ({
  id: 'task-exists',
  says: 'The task is one of the account, and can still be seen.',
  place: `§${section}`,
})

/** For what is to be cancelled or deleted. */
export const taskCanGo: StatedRule = {
  id: 'cancelling',
  says: 'The task is in a state in which it can be cancelled or deleted.',
  place: '§States and transitions',
}
