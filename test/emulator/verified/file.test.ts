import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVerified, type VerifiedFact, verifiedText } from '../../../src/emulator/verified/file.js'
import { startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

const fact: VerifiedFact = {
  answer: 'b-video-task.create@MissingParameter',
  rule: 'b-video-task.schema.model',
  asked: 'a task without a model',
  gaps: ['B8'],
  verdict: 'same',
  at: '2026-11-28T10:00:00.000Z',
  host: 'abcdefabcdef',
  profile: null,
}

const fileOf = (text: string): string => {
  const file = join(newFolder(), 'seen.json')
  writeFileSync(file, text)
  return file
}

test('what was written is read again, by an emulator too', async () => {
  const file = fileOf(verifiedText([fact]))
  expect(await readVerified(file)).toEqual([fact])
  const { get } = await startOnPort({ verified: file })
  const { items } = (await get('/_backlot/gaps')).body
  expect(items.find(({ id }: { id: string }) => id === 'B8').verified).toEqual({
    verdict: 'same',
    on: '2026-11-28',
    asked: ['a task without a model'],
  })
  expect(items.find(({ id }: { id: string }) => id === 'B7').verified).toBeNull()
})

test('none is no file, and without the setting none has to be there', async () => {
  expect(await readVerified('none')).toBeUndefined()
  expect(await readVerified(undefined)).toBeUndefined()
  const { get } = await startOnPort()
  const { items } = (await get('/_backlot/gaps')).body
  expect(new Set(items.map(({ verified }: { verified: unknown }) => verified))).toEqual(new Set([null]))
})

test.each([
  ['no JSON', '{ "format": ', /seen\.json cannot be used: it is no JSON/],
  ['a file of another kind', '{ "steps": [] }', /seen\.json cannot be used: format is required/],
  [
    'a fact without its verdict',
    verifiedText([{ ...fact, verdict: undefined as never }]),
    /facts\[0\]\.verdict is required/,
  ],
  [
    'a file of a newer version',
    '{ "format": "backlot-verified", "formatVersion": 2, "backlot": "9.0.0", "facts": [] }',
    /seen\.json cannot be used: Backlot 9\.0\.0 wrote it, which is newer than this one/,
  ],
])('%s is refused with the name of the file', async (_, text, message) => {
  const file = fileOf(text)
  await expect(readVerified(file)).rejects.toMatchObject({ code: 'bad-verified', message })
  await expect(startOnPort({ verified: file })).rejects.toMatchObject({ code: 'bad-verified' })
})

test('a file that is named has to be there', async () => {
  const file = join(newFolder(), 'nowhere.json')
  await expect(readVerified(file)).rejects.toMatchObject({
    code: 'no-such-file',
    sentence: `There is no file ${file}.`,
  })
})
