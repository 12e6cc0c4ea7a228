import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openInProcess } from '../../../emulator.js'
import { FORM_TYPE, file, formOf, type Part } from './reception.js'

const bugs: unknown[] = []
const mediaFolder = await mkdtemp(join(tmpdir(), 'malformed-'))
// A hook of the end runs before those that were set before it: the emulator ends first.
afterAll(() => rm(mediaFolder, { recursive: true, force: true }))
const { agent } = openInProcess({ mediaFolder }, { onInternalError: (bug) => void bugs.push(bug) })

const post = (body: Buffer | string, contentType = FORM_TYPE) =>
  agent
    .post('/v1/asset/upload')
    .set({ Authorization: 'Bearer my-key', 'Content-Type': contentType })
    .send(body)

const many = (count: number, part: (index: number) => Part): Buffer =>
  formOf([file(), ...Array.from({ length: count }, (_, index) => part(index))])

const field = (name: string, value = 'x'): Part => ({ name, value })

const malformed: readonly (readonly [what: string, body: Buffer | string, type: string, says: RegExp])[] = [
  ['no boundary', formOf([file()]), 'multipart/form-data', /names no boundary/],
  ['another boundary', formOf([file()]), 'multipart/form-data; boundary=other', /Unexpected end of form/],
  [
    'an empty boundary',
    formOf([file()]),
    'multipart/form-data; boundary=',
    /boundary in the Content-Type is empty/,
  ],
  ['nothing behind the header', '', FORM_TYPE, /file is required|cannot be read/],
  ['bytes that are no form', Buffer.alloc(5_000, 7), FORM_TYPE, /cannot be read/],
  ['an end in the middle of the file', formOf([file()]).subarray(0, 3_000), FORM_TYPE, /cannot be read/],
  ['an end in the middle of a header', formOf([file()]).subarray(0, 60), FORM_TYPE, /cannot be read/],
  ['JSON', '{"file":"x"}', 'application/json', /must be a form .*found application\/json/],
  ['a form that is not multipart', 'file=x', 'application/x-www-form-urlencoded', /must be a form/],
  ['another kind of multipart', formOf([file()]), 'multipart/mixed; boundary=x', /must be a form/],
  ['two thousand parts', many(2_000, (index) => field(`f${index}`)), FORM_TYPE, /more than (16|20)/],
  ['17 fields', many(17, (index) => field(`f${index}`)), FORM_TYPE, /more than 16 fields/],
  [
    'two thousand files',
    many(2_000, (index) => file({ name: `f${index}` })),
    FORM_TYPE,
    /more than one file/,
  ],
  [
    'a text before the file that is said to be bytes',
    formOf([{ ...field('group_id'), contentType: 'application/octet-stream' }, file()]),
    FORM_TYPE,
    /more than one file: .* the Content-Type application\/octet-stream \(send texts such as group_id without/,
  ],
  [
    'a text behind the file that is said to be bytes',
    formOf([file(), { ...field('group_id'), contentType: 'application/octet-stream' }]),
    FORM_TYPE,
    /more than one file: .* the Content-Type application\/octet-stream \(send texts such as group_id without/,
  ],
  ['two files', formOf([file(), file()]), FORM_TYPE, /more than one file/],
  ['the file in another field', formOf([file({ name: 'upload' })]), FORM_TYPE, /"upload"; .* "file"/],
  [
    'a file without a name',
    formOf([{ name: 'file', value: 'bytes' }]),
    FORM_TYPE,
    /file must be a part of the form with a file name .*, found one without/,
  ],
  [
    'a file with an empty name',
    formOf([file({ filename: '' })]),
    FORM_TYPE,
    /file must be .*, found one without/,
  ],
  ['no file', formOf([field('group_id')]), FORM_TYPE, /file is required/],
  ['a part without a name', formOf([{ value: 'x' }, file()]), FORM_TYPE, /cannot be read|without a name/],
  ['a long field name', formOf([field('n'.repeat(101)), file()]), FORM_TYPE, /longer than 100 bytes/],
  ['a long field', formOf([field('group_id', 'x'.repeat(65_537)), file()]), FORM_TYPE, /longer than 65536/],
  [
    'a field with brackets',
    formOf([field('a[b]'), file()]),
    FORM_TYPE,
    /^A field has brackets in its name, which no field may have: "a\[b\]"/,
  ],
  ['a field twice', formOf([field('group_id'), field('group_id'), file()]), FORM_TYPE, /more than once/],
  ['a name that climbs', formOf([file({ filename: '../../..' })]), FORM_TYPE, /must be a name other than/],
  [
    'a name that climbs backwards',
    formOf([file({ filename: '..\\\\..' })]),
    FORM_TYPE,
    /must be a name other than/,
  ],
  ['a folder', formOf([file({ filename: '/etc/' })]), FORM_TYPE, /must be a name other than/],
]

test.each(malformed)('%s is 400 in the shape of D', async (_, body, type, says) => {
  const answer = await post(body, type)
  expect([answer.status, answer.body]).toEqual([
    400,
    { code: 400, data: null, msg: expect.stringMatching(says), message: answer.body.msg },
  ])
})

test('a field named like a part of every object is a field like any other', async () => {
  const { status } = await post(formOf([field('__proto__'), field('constructor'), file()]))
  expect(status).toBe(200)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('after all of them nothing is left, nothing was unforeseen, and an upload is taken', async () => {
  for (const [, body, type] of malformed) await post(body, type)
  expect((await post(formOf([file()]))).status).toBe(200)
  const entries = await readdir(join(mediaFolder, 'uploads'), { recursive: true, withFileTypes: true })
  expect(entries.filter((entry) => entry.isFile())).toEqual([])
  expect(bugs).toEqual([])
})
