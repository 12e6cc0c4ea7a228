import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accountIdOf } from '../../../src/emulator/core/account/account-id.js'
import { joinCoverage, readCoverage } from '../../../src/resilience/coverage/join.js'
import { startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

import { TASKS } from './covered.js'

test('eleven emulators that write at the exit of the process make no warning', async () => {
  const { emulator: watched } = await startOnPort()
  const folder = newFolder()
  const listeners = process.listeners('exit')
  const writes = Array.from({ length: 11 }, () => joinCoverage(watched, folder))
  const [writeAll, ...more] = process.listeners('exit').filter((listener) => !listeners.includes(listener))
  expect(more).toEqual([])
  writes[0]?.()
  expect(await readdir(folder)).toHaveLength(1)
  writeAll?.(0)
  expect(await readdir(folder)).toHaveLength(11)
  expect(process.listeners('exit')).toEqual(listeners)
})

test('a part that cannot be read is told with the reason', async () => {
  const folder = newFolder()
  await mkdir(join(folder, 'part-x.json'))
  const sentence = `${join(folder, 'part-x.json')} is a folder; a file is needed.`
  expect(() => readCoverage(folder)).toThrowError(expect.objectContaining({ code: 'no-such-file', sentence }))
})

test('a call belongs to the test that has its account, though another one has begun since', async () => {
  const { emulator: watched, url } = await startOnPort()
  const folder = newFolder()
  const write = joinCoverage(watched, folder)
  await fetch(new URL(TASKS, url), { headers: { authorization: 'Bearer key' } })
  write()
  const lines = ['key', 'other'].map((key, at) => ({
    account: accountIdOf(key),
    at,
    file: 'a.js',
    test: key,
  }))
  await writeFile(join(folder, 'tests-1.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(readCoverage(folder).tests).toMatchObject([{ file: 'a.js', test: 'key' }])
})
