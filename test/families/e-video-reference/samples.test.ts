import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { answer } from './request.js'

const FOLDER = 'fixtures/requests/e-video-reference'

test.each(await readdir(FOLDER))(
  'the sample request %s is taken, and nothing in it is ignored',
  async (name) => {
    const text = await readFile(`${FOLDER}/${name}`, 'utf8')
    const sample = JSON.parse(text.replaceAll('{origin}', 'http://127.0.0.1:4010'))
    const { status, notes } = answer(sample.body)
    expect(sample.operation).toBe('e-video-reference.create')
    expect(status).toBe(200)
    expect(notes.ignored).toEqual([])
  },
)
