import { expect, test } from 'vitest'
import { allRules } from '../../../src/emulator/control/rules.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { samplesOf } from '../../contract/samples.js'
import { contextWith, create } from '../families/context.js'

const { operations, taskFamilies } = builtIn

const rules = allRules(builtIn)
const sentenceOf = (id: string) => rules.find((rule) => rule.id === id)?.sentence
const fields = 'first_frame, last_frame, reference_image, reference_video, reference_audio'

test('every rule stands there once, with a sentence and a place', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const { id, family, sentence, place } of rules) {
    expect(id.startsWith(`${family}.`), id).toBe(true)
    expect(sentence, id).toMatch(/^\S.*[^.]\.$/)
    expect(sentence, id).not.toMatch(/` is An? /)
    expect(place, id).toMatch(/^docs\//)
  }
})

// A list has the rules of its query alone, which are named below.
const withRules = operations.filter(({ rules }) => rules !== undefined)

test.each(withRules.map((operation) => [operation.id, operation] as const))(
  'whatever %s refuses for stands there',
  (_, { family, rules: own = [] }) => {
    const ids = rules.map(({ id }) => id)
    for (const { id } of own) expect(ids).toContain(`${family}.${id}`)
  },
)

test.each([
  'd-assets.account-has-agreed',
  'd-assets.name-length',
  'd-assets.name-is-bare',
  'd-assets.file-type',
  'd-assets.file-bytes',
  'd-assets.group-is-known',
  'd-assets.assets-most',
  'd-assets.assets-bytes',
  'd-assets.room-for-asset',
  'd-assets.sides',
  'd-assets.ratio',
  'd-assets.seconds',
  'd-assets.frames-per-second',
  'd-assets.task-exists',
  'd-assets.task-id',
  'd-assets.file',
  'd-assets.rate-limit',
  'd-assets.strict',
  'c-video.task-exists',
  'c-video.content-is-there',
  'e-video-reference.task-exists',
  'b-video-task.cancelling',
  'b-video-task.list.page_num',
  'b-video-task.list.page_size',
  'b-video-task.list.filter.status',
  'b-video-task.list.filter.model',
  'b-video-task.list.filter.task_ids',
  'f-video-v2.cancelling',
  'a-image.rate-limit',
  'a-image.strict',
  'a-image.room-for-task',
  'a-image.credentials',
  'a-image.schema',
  'results.signature',
])('%s can be looked up', (id) => expect(rules.map((rule) => rule.id)).toContain(id))

test('E and F cannot be listed, and E not cancelled', () => {
  const ids = rules.map(({ id }) => id)
  for (const id of ['e-video-reference.cancelling', 'f-video-v2.list.page_num', 'c-video.cancelling'])
    expect(ids).not.toContain(id)
})

test.each([
  ['b-video-task.schema.content[].type', 'required, one of text, image_url, video_url, audio_url'],
  ['b-video-task.schema.content[].text', 'required, of type string, where `type` is text'],
  ['b-video-task.schema.content[].image_url', 'required, of type object, where `type` is image_url'],
  ['b-video-task.schema.duration', 'optional, an integer from 4 to 15, or -1, default 5'],
  ['f-video-v2.schema.content[].type', 'required, one of text, image_url, video_url, audio_url'],
  ['f-video-v2.schema.callback_url', 'optional, an HTTP or HTTPS URL'],
  ['c-video.schema.media[].type', `required, one of text, ${fields}`],
  ['c-video.schema.media[].url', `optional, of type string, where \`type\` is ${fields}`],
  ['c-video.schema.seconds', 'optional, "4" to "15", or "-1", as a string or an integer, default "5"'],
  ['e-video-reference.schema.seconds', 'optional, "2" to "15", as a string or an integer, default "5"'],
  [
    'e-video-reference.schema.subject_reference[].image',
    'required, of type string, at least 1 character, or of type array, at least 1 item',
  ],
])('%s says all that its schema does', (id, sentence) => {
  const [, field = ''] = id.split('.schema.')
  expect(sentenceOf(id)).toBe(`\`${field}\` is ${sentence}.`)
})

test('the default of seconds is 5, as the rule says', () => {
  for (const id of ['c-video', 'e-video-reference'] as const) {
    const family = taskFamilies.find((one) => one.id === id)
    const [sample] = samplesOf(id)
    if (family === undefined || sample === undefined) throw new Error(`nothing of ${id}`)
    const context = contextWith({ resolvedMedia: sample.found })
    const { meta: notes } = create(family, { ...(sample.body as object), seconds: undefined }, context)
    const { params: order } = context.account.tasks.get(notes.task ?? '') ?? {}
    expect(Object.values(order as object)).toContain(5)
  }
})
