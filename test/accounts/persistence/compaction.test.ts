import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createStateAdapter } from '../../../src/accounts/persistence/adapter.js'
import { parseState, recordLine } from '../../../src/accounts/persistence/parse.js'
import type { StateRecord } from '../../../src/accounts/persistence/records.js'
import { openFolder, start } from './start.js'

/** A file of a few accounts, in which most is over. */
const wasteful = async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const house = await start(file)
  for (let round = 0; round < 4; round += 1) {
    await house.createB()
    await house.as('a "quoted" key \\').createB()
    await house.as('gone').createB()
    await house.clock.advance({ to: 'next' })
  }
  await house.as('gone').reset()
  await house.stop()
  return file
}

const signal = () => new AbortController().signal
const nothing = { server: undefined, scenarios: new Map(), accounts: new Map() }

const stateOf = async (file: string) => parseState(await readFile(file), file).saved

test('it keeps what holds, in its order, and is smaller', async () => {
  const file = await wasteful()
  const [before, { size }] = [await stateOf(file), await stat(file)]
  const adapter = createStateAdapter(file)
  await adapter.read()
  await adapter.compact(signal())
  await adapter.close()
  const after = await stateOf(file)
  expect(after).toEqual(before)
  expect([...after.accounts.keys()]).toEqual([...before.accounts.keys()])
  expect([...(after.accounts.get('k')?.task.keys() ?? [])]).toEqual([
    ...(before.accounts.get('k')?.task.keys() ?? []),
  ])
  expect((await stat(file)).size).toBeLessThan(size)
  expect(await readdir(dirname(file))).toEqual(['state.jsonl'])
})

test('batches that are added meanwhile are in it', async () => {
  const file = await wasteful()
  const before = await stateOf(file)
  const adapter = createStateAdapter(file)
  await adapter.read()
  await adapter.open()
  const compacted = adapter.compact(signal())
  const [id = ''] = before.accounts.get('k')?.task.keys() ?? []
  const next = (index: number): StateRecord => ['next', 'k', id, index]
  for (let index = 1; index <= 50; index += 1)
    await adapter.write({ saved: nothing, batch: [recordLine(next(index))] })
  await compacted
  await adapter.write({
    saved: nothing,
    batch: [recordLine(['server', '', '', { seed: 1, secret: 'another', given: [] }])],
  })
  await adapter.close()
  const after = await stateOf(file)
  expect(after.accounts.get('k')?.next.get(id)).toBe(50)
  expect(after.server?.secret).toBe('another')
  expect(after.accounts.size).toBe(before.accounts.size)
})

test('one that is broken off changes nothing and leaves nothing', async () => {
  const file = await wasteful()
  const before = await readFile(file)
  const adapter = createStateAdapter(file)
  await adapter.read()
  await adapter.open()
  const ending = new AbortController()
  const compacted = adapter.compact(ending.signal)
  ending.abort()
  await expect(compacted).rejects.toThrow()
  await adapter.close()
  expect(await readFile(file)).toEqual(before)
  expect(await readdir(dirname(file))).toEqual(['state.jsonl'])
})

test('what a killed one left is swept away, and the file is as it was', async () => {
  const file = await wasteful()
  await writeFile(`${file}.compacted`, '{"backlot":"state"')
  const house = await start(file)
  expect(await house.tasks.list()).toHaveLength(4)
  expect(await readdir(dirname(file))).not.toContain('state.jsonl.compacted')
})

test('a file that grows to many times what it needs is made small by itself', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const house = await start(file, { stateDelayMs: 0 })
  const image = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse '.repeat(30) }] }
  const create = () => house.ask('POST', '/provB/api/v3/contents/generations/tasks', image)
  await create()
  const task = await house.emulator.store.read('k', ({ tasks }) => [...tasks.values()][0])
  if (task === undefined) throw new Error('There is no task.')
  const sizes: number[] = []
  // The same task, written again and again.
  while (!sizes.some((size, index) => size < (sizes[index - 1] ?? 0))) {
    for (let nth = 0; nth < 200; nth += 1)
      await house.emulator.store.transact('k', ({ tasks }) =>
        tasks.set(`${task.id}${nth}`, { ...task, id: `${task.id}${nth}` }),
      )
    await new Promise(setImmediate)
    sizes.push(house.emulator.persistence?.facts()?.bytes ?? 0)
  }
  await house.stop()
  expect(await (await start(file)).tasks.list({ limit: 500 })).toHaveLength(201)
})
