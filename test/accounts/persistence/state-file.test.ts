import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolder, start, written } from './start.js'

const inFolder = async () => join(await openFolder(), 'state.jsonl')

const errorOf = async (starting: Promise<unknown>) => {
  const error = await starting.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error?.name).toBe('EmulatorError')
  return error as { code: string; message: string; hint: string }
}

/** A file with one task in it. */
const made = async () => {
  const file = await inFolder()
  const house = await start(file)
  const id = await house.createB()
  await house.stop()
  return { file, id }
}

test('a batch that was cut off is dropped with a notice, and the file goes on from there', async () => {
  const { file, id } = await made()
  await writeFile(file, `${await readFile(file, 'utf8')}["next","k","x",1]\n["task","k","x",{"id":"x"`)
  const second = await start(file)
  expect(second.notices.join()).toContain('ends in the middle of a batch')
  await second.createB()
  await second.stop()
  const third = await start(file)
  expect(third.notices).toEqual([])
  expect(await third.tasks.list()).toHaveLength(2)
  expect((await third.tasks.list()).at(-1)?.id).toBe(id)
})

test('an edited file that is not right any more is refused, and stays as it is', async () => {
  const { file } = await made()
  const edited = (await readFile(file, 'utf8')).replace('"queued"', '"waiting"')
  await writeFile(file, edited)
  const { code, message, hint } = await errorOf(start(file))
  expect(code).toBe('bad-state')
  expect(message).toMatch(/state\.jsonl cannot be read: in line \d+, in the task .*timeline\[0\]/)
  expect(hint).toContain('--state-fresh')
  expect(await readFile(file, 'utf8')).toBe(edited)
})

test('told to, it keeps such a file aside and begins a new one', async () => {
  const { file } = await made()
  for (const number of [1, 2]) {
    await writeFile(file, `no state file ${number}`)
    const house = await start(file, { stateFresh: true })
    expect(house.notices.join()).toContain(`.broken-${number}`)
    expect(await house.tasks.list()).toEqual([])
    await house.stop()
    expect(await readFile(`${file}.broken-${number}`, 'utf8')).toBe(`no state file ${number}`)
  }
})

test('told to, it still takes a file that can be read', async () => {
  const { file } = await made()
  expect(await (await start(file, { stateFresh: true })).tasks.list()).toHaveLength(1)
})

test('a callback without its task, and a scenario that is not there, are said', async () => {
  const { file } = await made()
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    text.replace(
      '"playing":[]',
      '"playing":[{"scenario":"gone","seed":1,"since":1,"seen":[],"acted":[],"latest":{}}]',
    ),
  )
  expect((await errorOf(start(file))).message).toContain('the scenario gone plays, but is not there')
})

test('an empty file is a place for one', async () => {
  const file = await inFolder()
  await writeFile(file, '')
  const house = await start(file)
  await house.createB()
  await house.stop()
  expect(await (await start(file)).tasks.list()).toHaveLength(1)
})

test('a folder is refused, and so is a file with another seed', async () => {
  const { file } = await made()
  expect((await errorOf(start(dirname(file)))).code).toBe('state-unusable')
  const { code, message, hint } = await errorOf(start(file, { seed: 7 }))
  expect(code).toBe('other-seed')
  expect(message).toContain('begun with the seed 1, and the setting seed is 7')
  expect(hint).toContain('--seed 1')
})

test('a second server on the file is refused and told who holds it; later it may', async () => {
  const file = await inFolder()
  const first = await start(file)
  const { code, message } = await errorOf(start(file))
  expect(code).toBe('state-held')
  expect(message).toContain(`process ${process.pid} on `)
  expect(message).toContain(first.url)
  await first.stop()
  await start(file)
})

test('a server that could not listen lets the file go', async () => {
  const file = await inFolder()
  const other = await start(await inFolder())
  const { port } = new URL(other.url)
  expect((await errorOf(start(file, { port: Number(port) }))).code).toBe('port-taken')
  await start(file)
})

test('nothing but the file and what belongs to it is left in the folder', async () => {
  const { file } = await made()
  expect(await readdir(dirname(file))).toEqual([basename(file)])
})

test('a file that is removed or moved while it runs is written anew, whole', async () => {
  const file = await inFolder()
  const house = await start(file)
  await house.createB()
  await written(house)
  await rm(file)
  await house.createB()
  await until(() => house.notices.length === 1)
  await written(house)
  await rename(file, `${file}.moved`)
  await house.createB()
  await until(() => house.notices.length === 2)
  await house.stop()
  expect(await (await start(file)).tasks.list()).toHaveLength(3)
})

test('what cannot be written is tried again, said once, and lost neither way', async () => {
  const file = await inFolder()
  const house = await start(file)
  const told: string[] = []
  house.emulator.events.on('trouble', ({ need, state, code }) => told.push(`${need} ${state} ${code}`))
  await house.createB()
  await written(house)
  // A folder in its place cannot be replaced by a file.
  await rename(file, `${file}.aside`)
  const { mkdir } = await import('node:fs/promises')
  await mkdir(join(file, 'not-empty'), { recursive: true })
  await house.createB()
  await until(() => told.length === 1)
  await house.createB()
  expect(house.emulator.persistence?.facts()?.trouble).not.toBeNull()
  await rm(file, { recursive: true })
  await until(() => told.length === 2)
  expect(told).toEqual(['state begun state-unwritten', 'state over state-unwritten'])
  await house.stop()
  expect(await (await start(file)).tasks.list()).toHaveLength(3)
})

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}
