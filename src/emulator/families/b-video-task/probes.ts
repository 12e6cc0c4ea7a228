import type { Probe } from '../../core/contract.js'
import { createProbes, posted, someText } from '../shared/probes.js'

const PATH = '/provB/api/v3/contents/generations/tasks'
const NOWHERE = `${PATH}/cgt-20200101000000-aaaaa`

const body = { model: 'videoa-2-0-260128', content: someText }

// Each body is right but for what is changed.
const task = (says: string, change: object) => posted(PATH, says, { ...body, ...change })

/** Calls that B refuses. */
export const probes: readonly Probe[] = [
  ...createProbes('a task', PATH, body),
  task('a task without content', { content: [] }),
  task('a task with a ratio that there is not', { ratio: '2:1' }),
  task('a task of 16 seconds', { duration: 16 }),
  { says: 'a task that there is not', method: 'GET', path: NOWHERE },
  { says: 'a cancellation of a task that there is not', method: 'DELETE', path: NOWHERE },
  { says: 'a list of page 0', method: 'GET', path: `${PATH}?page_num=0` },
  { says: 'a list of a status that there is not', method: 'GET', path: `${PATH}?filter.status=asleep` },
]
