import { describe, expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../../src/emulator/core/contract.js'
import { type FactChanges, withFacts } from '../../../src/emulator/core/family-facts.js'
import { image } from '../../../src/emulator/families/a-image/index.js'
import { videoTask } from '../../../src/emulator/families/b-video-task/index.js'
import { unifiedVideo } from '../../../src/emulator/families/c-video/index.js'
import { assetLibrary } from '../../../src/emulator/families/d-assets/index.js'
import { referenceVideo } from '../../../src/emulator/families/e-video-reference/index.js'
import { videoV2 } from '../../../src/emulator/families/f-video-v2/index.js'
import {
  type ContextParts,
  contextWith,
  create,
  onTask,
  operationOf,
  read,
  taskOf,
} from '../families/context.js'

const text = { type: 'text', text: 'a paper boat' }
const task = (change: object = {}) => ({ model: 'videoa-2-5-270101', content: [text], ...change })
const withModel: FactChanges = {
  models: { 'videoa-2-5-270101': { like: 'videoa-2-0-260128', seconds: [4, 20] } },
}

const answerOf = (family: AnyTaskFamily, body: unknown, parts: ContextParts = {}) => {
  const context = contextWith(parts)
  const decision = create(family, body, context)
  const { status, body: answer } = decision.reply
  return { status, answer, rules: decision.meta.refusedBy.map(({ rule }) => rule), decision, context }
}

describe('a new model', () => {
  const family = withFacts(videoTask, withModel)

  test.each([
    [{ duration: 20 }, 200, []],
    [{ duration: 21 }, 400, ['b-video-task.schema.duration']],
    [{ model: 'videoa-2-0-260128', duration: 15 }, 200, []],
    [{ model: 'videoa-2-0-260128', duration: 16 }, 400, ['b-video-task.model-has-duration']],
    [{ model: 'videoa-2-0-260128', duration: -1 }, 200, []],
  ])('has lengths of its own, and the others keep theirs: %j', (change, status, rules) => {
    expect(answerOf(family, task(change))).toMatchObject({ status, rules })
  })

  test('is not known to the family that it was made of', () => {
    expect(answerOf(videoTask, task())).toMatchObject({ status: 404 })
  })

  test('is listed in the refusal of a model that there is not, and in the error of lengths', () => {
    const { answer } = answerOf(family, task({ model: 'no-such' }))
    expect(JSON.stringify(answer)).toContain('videoa-2-0-fast-260128, videoa-2-5-270101')
    expect(JSON.stringify(answerOf(family, task({ duration: 99 })).answer)).toContain(
      'an integer from 4 to 15, for videoa-2-5-270101 from 4 to 20, or -1',
    )
  })

  test('draws its length among its own', () => {
    const lengths = Array.from({ length: 60 }, (_, seed) => {
      const { decision, context } = answerOf(family, task({ duration: -1, seed }))
      return (taskOf(decision, context).params as { duration: number }).duration
    })
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([4, 20])
  })

  test('is read by the other family of its tasks where that has it too', () => {
    const unified = withFacts(unifiedVideo, withModel)
    const { decision, context } = answerOf(family, task())
    const id = taskOf(decision, context).id
    expect(onTask(unified, 'read', id, context).reply.body).toMatchObject({ model: 'videoa-2-5-270101' })
  })

  test('has sizes with pixels and prices of its own', () => {
    const changed = withFacts(videoTask, {
      models: {
        'videoa-2-5-270101': {
          like: 'videoa-2-0-260128',
          sizes: { '4k': { '16:9': { width: 3840, height: 2160 } } },
          sizesFromText: ['4k'],
          price: 2,
          sound: false,
          framesPerSecond: 30,
        },
      },
    })
    const { decision, context } = answerOf(changed, task({ resolution: '4k', ratio: '16:9' }))
    const made = taskOf(decision, context)
    expect(made.price).toBe(10)
    expect(made.timeline.at(-1)?.value).toMatchObject({
      media: [{ width: 3840, height: 2160, framesPerSecond: 30, hasAudio: false }],
    })
    expect(changed.price?.perSecond).toMatchObject({ 'videoa-2-5-270101 4k': 2 })
    expect(answerOf(changed, task({ resolution: '720p' })).rules).toEqual(['b-video-task.high-resolution'])
    expect(answerOf(changed, task({ model: 'videoa-2-0-260128', resolution: '4k' })).rules).toEqual([
      'b-video-task.high-resolution',
    ])
    // A ratio for which no pixels are given has the area of the others.
    const square = answerOf(changed, task({ resolution: '4k', ratio: '1:1' }))
    expect(taskOf(square.decision, square.context).timeline.at(-1)?.value).toMatchObject({
      media: [{ width: 2880, height: 2880 }],
    })
  })

  test('has ratios and modes of its own', () => {
    const changed = withFacts(videoTask, {
      models: {
        'videoa-2-5-270101': { like: 'videoa-2-0-260128', ratios: ['16:9', '2:1'], modes: ['text'] },
      },
    })
    expect(answerOf(changed, task({ ratio: '2:1' })).status).toBe(200)
    expect(answerOf(changed, task({ ratio: '1:1' })).rules).toEqual(['b-video-task.model-has-ratio'])
    const framed = [text, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]
    expect(answerOf(changed, task({ content: framed })).rules).toEqual(['b-video-task.model-has-mode'])
    expect(answerOf(changed, task({ model: 'videoa-2-0-260128', content: framed })).status).toBe(200)
  })

  test('of F and of E has lengths and sizes of its own', () => {
    const f = withFacts(videoV2, { models: { 'gamma-H4': { like: 'gamma-H3', sizes: ['480P'] } } })
    const body = (change: object) => ({ model: 'gamma-H4', content: [text], duration: 5, ...change })
    expect(answerOf(f, body({ resolution: '480P' })).status).toBe(200)
    expect(answerOf(f, body({ resolution: '768P' })).rules).toEqual(['f-video-v2.model-has-resolution'])
    const e = withFacts(referenceVideo, {
      models: { 'beta3-r2v': { like: 'beta2.7-r2v', seconds: [2, 30], sizes: ['1080P'] } },
    })
    const subjects = [{ type: 'character', image: 'https://example.com/a.png' }]
    const reference = (change: object) => ({ model: 'beta3-r2v', subject_reference: subjects, ...change })
    expect(answerOf(e, reference({ seconds: '30' })).status).toBe(200)
    expect(answerOf(e, reference({ size: '720P' })).rules).toEqual(['e-video-reference.model-has-size'])
    expect(answerOf(e, reference({ model: 'beta2.7-r2v', seconds: '16' })).rules).toEqual([
      'e-video-reference.model-has-duration',
    ])
  })

  test('of A is one more name', () => {
    const changed = withFacts(image, { models: { 'alpha-image-4': { like: 'alpha-image-3.0-pro' } } })
    const input = { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] }
    expect(answerOf(changed, { model: 'alpha-image-4', input }).status).toBe(200)
    expect(answerOf(changed, { model: 'alpha-image-5', input }).status).toBe(400)
  })
})

describe('a bound', () => {
  test.each([
    [12, 200],
    [13, 400],
  ])('of roles lets %i images through with %i', (count, status) => {
    const family = withFacts(videoV2, { rules: { 'role-counts': { reference_image: 12 } } })
    const pictures = Array.from({ length: count }, (_, index) => ({
      type: 'image_url',
      role: 'reference_image',
      image_url: { url: `https://example.com/${index}.png` },
    }))
    const body = { model: 'gamma-H3', content: [text, ...pictures], duration: 5 }
    expect(answerOf(family, body).status).toBe(status)
    expect(family.rules.find(({ id }) => id === 'role-counts')?.says).toContain('12 images')
  })

  test('of the schema, of an image size and of an upload are those of the facts', () => {
    const a = withFacts(image, { rules: { 'schema.parameters.n': { max: 9 }, 'size-ratio': { max: 2 } } })
    const input = { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] }
    const sized = (parameters: object) => answerOf(a, { model: 'alpha-image-3.0-pro', input, parameters })
    expect(sized({ n: 9 }).status).toBe(200)
    expect(sized({ n: 10 }).rules).toEqual(['a-image.schema.parameters.n'])
    expect(sized({ size: '2048*1024' }).status).toBe(200)
    expect(sized({ size: '2048*1000' }).rules).toEqual(['a-image.size-ratio'])
    const d = withFacts(assetLibrary, { rules: { sides: { min: 10 } } })
    expect(d.jobLimits.find(({ id }) => id === 'sides')?.says).toContain('10 to 6000 pixels')
  })

  test('holds beside a change that comes later', () => {
    const once = withFacts(videoV2, { rules: { 'role-counts': { reference_image: 12 } } })
    const twice = withFacts(once, {
      models: { 'gamma-H4': { like: 'gamma-H3' } },
      errors: { server_error: { status: 503 } },
    })
    expect(twice.rules.find(({ id }) => id === 'role-counts')?.says).toContain('12 images')
    expect(withFacts(twice, { rules: { 'text-length': { characters: 1 } } }).errors.server_error.status).toBe(
      503,
    )
  })
})

describe('errors', () => {
  const quota = { quota_gone: { status: 402, type: 'permission_error', message: 'The quota is used up' } }

  test('a row that is changed is answered so by whatever answers with it', () => {
    const family = withFacts(unifiedVideo, {
      errors: { task_not_exist: { status: 410, code: 'gone', message: 'The task is gone' } },
    })
    const { reply } = read(family, 'cgt-1', contextWith())
    expect(reply).toMatchObject({ status: 410, body: { code: 'gone' } })
    const raised = operationOf(family, 'read').raise('task_not_exist', {}, 'request-1')
    expect(raised).toMatchObject({ status: 410, body: { message: 'The task is gone.' } })
  })

  test('a row that is added can be raised, and answer for a rule or a well-known case', () => {
    const family = withFacts(unifiedVideo, {
      errors: quota,
      rules: { 'balance-is-positive': { error: 'quota_gone' } },
      wellKnown: { 'unknown-model': 'quota_gone' },
    })
    const body = { model: 'videoa-2-0-260128', media: [text] }
    const broke = answerOf(family, body, { key: 'no-balance' })
    expect(broke).toMatchObject({
      status: 402,
      answer: { code: 'quota_gone', error: { type: 'permission_error' } },
    })
    expect(broke.rules).toEqual(['c-video.balance-is-positive'])
    expect(answerOf(family, { ...body, model: 'none' }).status).toBe(402)
    expect(operationOf(family, 'create').errors).toContain('quota_gone')
    expect(operationOf(family, 'create').raise('quota_gone', {}, 'request-1').status).toBe(402)
  })

  test('a rule that every family has can answer with another error', () => {
    const family = withFacts(videoTask, { rules: { 'task-exists': { error: 'TaskExpired' } } })
    expect(read(family, 'cgt-1', contextWith()).reply.status).toBe(400)
  })

  test('a rule that is off refuses nothing, and is not listed', () => {
    const family = withFacts(videoTask, { rules: { 'high-resolution': 'off' } })
    const body = task({ model: 'videoa-2-0-fast-260128', resolution: '1080p' })
    expect(answerOf(videoTask, body).status).toBe(400)
    expect(answerOf(family, body).status).toBe(200)
    expect(family.rules.map(({ id }) => id)).not.toContain('high-resolution')
    const later = withFacts(family, { rules: { 'schema.priority': { max: 20 } } })
    expect(later.rules.map(({ id }) => id)).not.toContain('high-resolution')
  })
})

test.each<[FactChanges, RegExp]>([
  [
    { models: { x: { like: 'videoa-2-0-260129' } } },
    /no model to be like .*did you mean videoa-2-0-260128\?/,
  ],
  [{ models: { 'videoa-2-0-26012': {} } }, /no model .*did you mean videoa-2-0-260128\?/],
  [
    { models: { 'videoa-2-0-260128': { like: 'videoa-2-0-fast-260128' } } },
    /there is a model videoa-2-0-260128 already/,
  ],
  [{ models: { x: { like: 'videoa-2-0-260128', sizes: ['721p'] } } }, /no size .*did you mean 720p\?/],
  [{ models: { x: { like: 'videoa-2-0-260128', price: { '8k': 1 } } } }, /no size of x "8k"/],
  [
    { models: { x: { like: 'videoa-2-0-260128', seconds: [9, 4] } } },
    /seconds must be the least seconds and the most/,
  ],
  [{ rules: { 'role-count': { reference_image: 1 } } }, /did you mean role-counts\?/],
  [
    { rules: { 'role-counts': { reference_images: 1 } } },
    /no bound of role-counts .*did you mean reference_image\?/,
  ],
  [{ rules: { 'high-resolutoin': 'off' } }, /no rule "high-resolutoin": did you mean high-resolution\?/],
  [{ rules: { 'rate-limit': 'off' } }, /the rule rate-limit cannot be switched off/],
  [{ rules: { 'schema.priority': { min: 10 } } }, /min is 10 and max is 9, below it/],
  [{ rules: { 'high-resolution': { error: 'Nothing' } } }, /no error \(of high-resolution\) "Nothing"/],
  [
    { errors: { InternalServiceEror: { status: 500 } } },
    /did you mean InternalServiceError\?.*needs status and message/,
  ],
  [{ errors: { mine: { status: 200, message: 'Fine' } } }, /errors.mine.status must be/],
])('%j is refused, and the message says what was meant', (changes, message) => {
  expect(() => withFacts(videoTask, changes)).toThrow(message)
})

test('a family without facts can have other errors, and no other models', () => {
  const { facts: _, make: __, ...bare } = videoTask
  expect(
    withFacts(bare as AnyTaskFamily, { errors: { TaskExpired: { status: 410 } } }).errors.TaskExpired,
  ).toMatchObject({ status: 410 })
  expect(() => withFacts(bare as AnyTaskFamily, withModel)).toThrow(/neither models nor bounds/)
})
