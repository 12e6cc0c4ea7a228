import { z } from 'zod'
import type { TaskFamily } from '../../../../src/emulator/core/contract.js'
import { plainTimeline, type Task } from '../../../../src/emulator/core/model/task.js'

/** A task that waits from 0 to 10, runs until 20 and costs 5. */
export const taskWith = (parts: Partial<Task> = {}): Task => ({
  id: 'task-1',
  family: 'toy',
  account: 'test-key',
  model: 'toy-1',
  requestId: 'request-1',
  createdAt: 0,
  params: {},
  timeline: plainTimeline(0, { queuedMs: 10, runningMs: 10 }, []),
  price: 5,
  ...parts,
})

const errors = {
  bad: { status: 400, message: 'Bad' },
  absent: { status: 400, message: 'Absent' },
  no_model: { status: 404, message: 'No such model' },
  no_key: { status: 401, message: 'No key' },
  busy: { status: 429, message: 'Busy' },
  broken: { status: 500, message: 'Broken' },
  unknown: { status: 404, message: 'Unknown' },
  stays: { status: 409, message: 'Stays' },
} as const
type ToyError = keyof typeof errors

const schema = z.object({
  model: z.enum(['toy-1', 'toy-2']),
  colour: z.string(),
  wheels: z.int().min(1).max(4).default(4),
  picture: z.string().optional(),
})
type Toy = z.output<typeof schema>

/** The smallest family that can do everything: what is tried with it is the core's alone. */
export const toys: TaskFamily<Toy, Toy, ToyError> = {
  id: 'toy',
  section: 'T',
  title: 'Toys',
  api: { requests: {}, responses: {}, error: '', operations: {} },
  models: ['toy-1', 'toy-2'],
  routes: {
    create: { method: 'POST', path: '/toys' },
    read: { method: 'GET', path: '/toys/{id}' },
    list: { method: 'GET', path: '/toys' },
    cancel: { method: 'DELETE', path: '/toys/{id}' },
  },
  maxBodyBytes: () => 1_000,
  schema,
  rules: [
    {
      id: 'not-green',
      says: 'A toy is not green.',
      place: '§T colour',
      check: ({ colour }) =>
        colour === 'green'
          ? { error: 'bad', field: 'colour', message: 'colour must not be green' }
          : undefined,
    },
    {
      id: 'even-wheels',
      says: 'The wheels are even in number.',
      place: '§T wheels',
      check: ({ wheels }) =>
        wheels % 2 === 0 ? undefined : { error: 'bad', field: 'wheels', message: 'wheels must be even' },
    },
  ],
  errors,
  wellKnownErrors: {
    unauthenticated: 'no_key',
    unreadable: 'bad',
    unsupported: 'bad',
    'too-large': 'bad',
    'rate-limited': 'busy',
    internal: 'broken',
    missing: 'absent',
    invalid: 'bad',
    'unknown-model': 'no_model',
  },
  mediaRefs: ({ picture }) =>
    picture === undefined ? [] : [{ field: 'picture', url: picture, wants: 'image' as const }],
  warnings: ({ colour }) => (colour === 'beige' ? ['beige is out of fashion'] : []),
  params: (toy) => toy,
  newId: ({ sequence }) => `toy-${sequence}`,
  timeline: (_, { now }) => plainTimeline(now, { queuedMs: 10, runningMs: 10 }, []),
  images: ({ wheels }) => (wheels === 2 ? 2 : 0),
  price: {
    perSecond: { 'toy-1 plain': 2.5, 'toy-2 plain': 2.5 },
    meter: () => ({ resolution: 'plain', seconds: 2 }),
  },
  visibleUntil: ({ createdAt }) => createdAt + 1_000,
  notFound: () => ({ error: 'unknown', field: 'id' }),
  cancelOutcome: ({ phase: { state } }) => {
    if (state === 'queued') return 'cancel'
    return state === 'running' ? { error: 'stays', field: 'id' } : 'remove'
  },
  resultTtlMs: 1_000,
  respond: {
    created: ({ task, phase }) => ({ id: task.id, status: phase.state }),
    read: ({ task, phase }) => ({ id: task.id, status: phase.state }),
    list: (items, total) => ({ items: items.map((item) => (item as { id: string }).id), total }),
    error: ({ error, field, message }, requestId) => ({ error, field, message, requestId }),
  },
}
