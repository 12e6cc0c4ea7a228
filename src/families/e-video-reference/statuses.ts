import { states } from '../../core/task/phase.js'

/** The statuses of E (§States and transitions, gap E8). */
export const statuses = states.filter((state) => state !== 'expired')
