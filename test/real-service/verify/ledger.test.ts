import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostHash, Ledger } from '../../../src/real-service/verify/ledger.js'

const newFile = () => join(mkdtempSync(join(tmpdir(), 'ledger-')), 'creates.jsonl')
const AT = '2026-01-01T00:00:00.000Z'

test('a create is on disk before it is sent, and another run knows it', () => {
  const file = newFile()
  const create = Ledger.read(file).sending('b-video-task.create', 'a create', AT)
  expect(readFileSync(file, 'utf8')).toContain('"kind":"sending"')
  expect(Ledger.read(file).open).toEqual([
    { kind: 'sending', create, operation: 'b-video-task.create', says: 'a create', at: AT },
  ])
})

test('the id of its task is known once the answer came, and nothing once it has ended', () => {
  const file = newFile()
  const ledger = Ledger.read(file)
  const create = ledger.sending('b-video-task.create', 'a create', AT)
  ledger.made(create, 'cgt-1')
  expect(Ledger.read(file).open).toMatchObject([{ create, task: 'cgt-1' }])
  ledger.close()
  expect(existsSync(file)).toBe(true)
  ledger.ended(create, 'DELETE 200')
  expect(Ledger.read(file).open).toEqual([])
  ledger.close()
  expect(existsSync(file)).toBe(false)
})

test('numbers go on in a later run, and a line that a killed process has cut is dropped', () => {
  const file = newFile()
  Ledger.read(file).sending('a.create', 'one', AT)
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"kind":"ma`)
  const later = Ledger.read(file)
  expect(later.open).toHaveLength(1)
  expect(later.sending('a.create', 'two', AT)).toBe(2)
  expect(Ledger.read(file).open.map(({ says }) => says)).toEqual(['one', 'two'])
})

test('a file of something else is refused', () => {
  const file = newFile()
  writeFileSync(file, '{"some":"json"}\n{"kind":"ended","create":1,"how":"x"}\n')
  expect(() => Ledger.read(file)).toThrow(/its line 1 is none of such a file/)
})

test('the hash of a host does not depend on the path', () => {
  expect(hostHash('https://api.example.com/a')).toBe(hostHash('https://api.example.com/b'))
  expect(hostHash('https://api.example.com')).not.toBe(hostHash('https://api.example.org'))
})
