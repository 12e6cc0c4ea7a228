import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { mediaOf, type Phase, statesOf } from '../../src/emulator/core/model/task.js'
import { HOUR, lastOf } from '../../src/emulator/core/schedule/time.js'
import { contextWith, create, expiryOf, force, later, read, taskOf } from '../emulator/families/context.js'
import { blocks } from './blocks.js'

const FAMILY = 'src/emulator/families/f2-sketch/'

/** The files of the family that the page adds, somewhere from where the sources and packages can be reached. */
const written = (): string => {
  mkdirSync('.backlot', { recursive: true })
  const folder = mkdtempSync(resolve('.backlot', 'docs-'))
  for (const { marks, code } of blocks) {
    if (!marks.file?.startsWith(FAMILY)) continue
    const text = code
      .replaceAll("'../../core/", "'../../src/emulator/core/")
      .replaceAll("'../shared/", "'../../src/emulator/families/shared/")
    writeFileSync(join(folder, basename(marks.file)), text)
  }
  return folder
}

const folder = written()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let sketch: AnyTaskFamily
let answers: Readonly<Record<string, z.ZodType>>
beforeAll(async () => {
  sketch = (await import(join(folder, 'index.ts'))).sketch
  answers = sketch.api?.responses ?? {}
})

const body = { model: 'delta-sketch-1', prompt: 'a lighthouse' }
const isAnswer = (answer: unknown, schema: z.ZodType | undefined) =>
  expect(schema?.parse(answer)).toEqual(answer)

test('the family from outside is that of the example, whose tests run against the package', () => {
  const shown = blocks.find(({ marks }) => marks.file === 'examples/family/sketch.family.ts')
  expect(shown?.code.trim()).toBe(readFileSync('examples/family/sketch.family.ts', 'utf8').trim())
})

test('a sketch is made, and its URL lives for an hour', () => {
  const context = contextWith()
  const { reply } = create(sketch, body, context)
  isAnswer(reply.body, answers.SketchCreated)
  const { id } = reply.body as { id: string }

  const queued = read(sketch, id, context).reply.body
  isAnswer(queued, answers.Sketch)
  expect(queued).toEqual({ id, status: 'queued' })

  const done = read(sketch, id, later(context, HOUR)).reply.body as { status: string; url: string }
  isAnswer(done, answers.Sketch)
  expect(done.status).toBe('succeeded')
  expect(expiryOf(done.url) - context.now).toBeGreaterThan(HOUR)
})

test.each([
  [
    'a prompt that is too long',
    { ...body, prompt: 'x'.repeat(81) },
    'prompt must be at most 80 characters long, found 81.',
  ],
  ['no prompt', { model: body.model }, 'prompt is required: a text.'],
  ['a size that there is not', { ...body, size: 'huge' }, 'size must be one of small, large, found "huge".'],
])('%s is refused in words that come of themselves', (_, wrong, message) => {
  const { reply } = create(sketch, wrong, contextWith())
  isAnswer(reply.body, answers.SketchProblem)
  expect(reply).toMatchObject({ status: 400, body: { error: 'bad_request', message } })
})

test('a sketch in each of its states is as the schema of the query says', () => {
  for (const state of statesOf(sketch)) {
    const context = contextWith()
    const task = taskOf(create(sketch, body, context), context)
    const phase =
      state === 'failed' ? { state, error: 'broken' } : { state, media: mediaOf(lastOf(task.timeline).value) }
    force(task, phase as Phase, context)
    isAnswer(read(sketch, task.id, context).reply.body, answers.Sketch)
  }
})

test('what the page publishes and relies on is as test/contract asks', () => {
  for (const { description } of Object.values({ ...sketch.api.requests, ...answers }))
    expect(description?.length).toBeGreaterThanOrEqual(10)
  const ids = sketch.gaps?.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(Object.values(sketch.reliesOn ?? {}).flat()))
})

test('an unknown sketch is not found', () => {
  const { reply } = read(sketch, 'sketch-1', contextWith())
  expect(reply).toMatchObject({
    status: 404,
    body: { error: 'not_found', message: 'There is no sketch sketch-1.' },
  })
})

test('a family is one folder and one line of the table of contents', () => {
  const files = blocks
    .filter(({ page }) => page === 'docs/adding-a-family.md')
    .map(({ marks }) => marks.file)
    .filter((file) => file?.startsWith('src/') && !file.startsWith(FAMILY))
  expect(files).toEqual(['src/emulator/families/table-of-contents.ts'])
  const line = (text: string) =>
    text.split('\n').filter((one) => /\bsketch\b/.test(one) && !/^import/.test(one))
  const [contents] = blocks.filter(({ marks }) => marks.file === files[0])
  expect(line(contents?.code ?? '')).toEqual(['  sketch,'])
})
