import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../../src/families/catalogue.js'
import { isFileName } from '../../../src/server/scenario/file-name.js'
import { createLibrary } from '../../../src/server/scenario/library.js'
import { readScenarioDocument, readScenarioFile } from '../../../src/server/scenario/read.js'

const text = (name: string, operation = 'b-video-task.create') => `name: ${name}
says: What it does.
steps:
  - when: { operation: ${operation} }
    then: { answer: { status: 502 } }
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scenarios-'))
  await mkdir(join(folder, 'scenarios'))
  await writeFile(join(folder, 'mine.yaml'), text('another-name'))
  await writeFile(join(folder, 'wrong.yaml'), text('wrong', 'b-video-task.crate'))
  await writeFile(join(folder, 'scenarios', 'good.yaml'), text('good'))
  await writeFile(join(folder, 'scenarios', 'renamed.yaml'), text('good'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a file is read, and may have another name than its scenario', async () =>
  expect((await readScenarioFile(join(folder, 'mine.yaml'), catalogue)).name).toBe('another-name'))

test('in a folder scenarios the name is that of the file (gap Z30)', async () => {
  expect((await readScenarioFile(join(folder, 'scenarios', 'good.yaml'), catalogue)).name).toBe('good')
  await expect(readScenarioFile(join(folder, 'scenarios', 'renamed.yaml'), catalogue)).rejects.toMatchObject({
    code: 'bad-scenario',
    message: expect.stringContaining('name must be renamed, as the file is called, found good'),
  })
})

test('what is wrong is told with file, line and column', async () =>
  expect(readScenarioFile(join(folder, 'wrong.yaml'), catalogue)).rejects.toMatchObject({
    code: 'bad-scenario',
    message: expect.stringContaining(
      `${join(folder, 'wrong.yaml')}:4:24: there is no operation "b-video-task.crate"`,
    ),
  }))

test('a file that is not there', async () =>
  expect(readScenarioFile(join(folder, 'nowhere.yaml'), catalogue)).rejects.toMatchObject({
    code: 'no-such-file',
    message: `There is no file ${join(folder, 'nowhere.yaml')}.`,
  }))

test('a document in memory tells of the path where something is wrong', () =>
  expect(() =>
    readScenarioDocument({ name: 'mine', says: 'x', steps: [{ when: { nth: 0 }, answer: {} }] }, catalogue),
  ).toThrow(/steps\[0\]\.when\.nth: nth must be.*\n.*steps\[0\]\.answer: there is no key "answer" here/s))

test.each([
  ['upstream-flapping', false],
  ['mine.yaml', true],
  ['mine.JSON', true],
  ['./mine', true],
  ['C:\\mine', true],
])('%s is a file: %s', (name, isFile) => expect(isFileName(name)).toBe(isFile))

test('the library names its scenarios and reads them by name', async () => {
  const library = createLibrary(catalogue, join(folder, 'scenarios'))
  expect(await library.names()).toEqual(['good', 'renamed'])
  expect((await library.read('good')).steps).toHaveLength(1)
  await expect(library.read('goood')).rejects.toMatchObject({
    code: 'unknown-scenario',
    message: 'There is no scenario "goood".',
    hint: 'Did you mean good?',
  })
  await expect(library.read('something-else')).rejects.toMatchObject({ hint: 'There are: good, renamed.' })
})
