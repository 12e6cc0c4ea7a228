import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acquireLock } from '../src/emulator/accounts/persistence/lock.js'
import type { StateRecord } from '../src/emulator/accounts/persistence/records.js'
import { readStateFiles } from '../src/emulator/accounts/persistence/state-files.js'
import { createStateWriter } from '../src/emulator/accounts/persistence/state-writer.js'
import { randomOf } from './load/random.js'
import type { Part } from './part.js'

const ROUNDS = 2_000
const BATCHES = 12

/** What is done to the files that a killed process has left, and what may come of it besides a refusal. */
const kinds = ['a flipped bit', 'a cut tail', 'a missing log', 'an emptied log'] as const

/**
 * Damages the files of a state in a thousand ways and reads them. A model knows what each batch has written: what is read is
 * all of it, or, where the last log was cut, what one of its batches had left; everything else is refused.
 */
export const damage: Part = async ({ seed, times = ROUNDS }) => {
  const random = randomOf(seed)
  const upTo = (most: number) => Math.floor(random() * most)
  const failures: string[] = []
  const counts = { refused: 0, whole: 0, shorter: 0 }
  const folder = await mkdtemp(join(tmpdir(), 'backlot-damage-'))
  const { names, secrets } = await writeFiles(folder, upTo)
  const logs = names.filter((name) => name.endsWith('.log'))

  for (let round = 0; round < times; round += 1) {
    const kind = kinds[upTo(kinds.length)] ?? 'a flipped bit'
    const { copy, name, place } = await damagedCopy(folder, { names, logs, kind }, upTo)
    const read = await readStateFiles(copy).then(
      ({ state }) => state.server?.secret ?? '',
      ({ code }: { readonly code?: string }) => (code === 'bad-state' ? undefined : `(${code})`),
    )
    const about = `${kind} in ${name} at bit ${place}`
    if (read === undefined) counts.refused += 1
    else if (read === secrets.at(-1)) counts.whole += 1
    // That a last log is gone, or ends earlier, is not said by any other file (docs/state.md).
    else if (kind !== 'a flipped bit' && secrets.includes(read) && name === logs.at(-1)) counts.shorter += 1
    else failures.push(`${about}: read ${read.slice(0, 20)}`)
  }
  await rm(folder, { recursive: true, force: true })
  const line = `${times} damaged files: ${counts.refused} refused, ${counts.whole} read whole, ${counts.shorter} up to a batch of the last log`
  return { line, failures }
}

/** Copies the files, and damages one of them. */
const damagedCopy = async (
  folder: string,
  { names, logs, kind }: Record<'names' | 'logs', readonly string[]> & Record<'kind', (typeof kinds)[number]>,
  upTo: (most: number) => number,
) => {
  const copy = join(folder, 'copy')
  for (const name of await readdir(folder)) if (name.startsWith('copy')) await rm(join(folder, name))
  for (const name of names) await copyFile(join(folder, name), copy + name.slice('state'.length))
  const others = kind === 'a flipped bit' ? names : logs
  const possible = kind === 'a cut tail' ? logs.slice(-1) : others
  const name = possible[upTo(possible.length)] ?? ''
  const file = copy + name.slice('state'.length)
  const place = upTo((await readFile(file)).length * 8)
  await harm[kind](file, place)
  return { copy, name, place }
}

/** How each kind is done to a file. */
const harm: Readonly<Record<(typeof kinds)[number], (file: string, bit: number) => Promise<void>>> = {
  'a flipped bit': async (file, bit) => {
    const bytes = await readFile(file)
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    await writeFile(file, bytes)
  },
  'a cut tail': (file, bit) => truncate(file, bit >> 3),
  'a missing log': (file) => rm(file),
  'an emptied log': (file) => truncate(file, 0),
}

/** Files as a kill leaves them while a snapshot is being written: the one before, and two logs. */
const writeFiles = async (folder: string, upTo: (most: number) => number) => {
  const path = join(folder, 'state')
  const writer = await createStateWriter({
    path,
    lock: await acquireLock(path),
    files: await readStateFiles(path),
    fsync: false,
    now: Date.now,
    onWarning: () => {},
  })
  const secrets: string[] = []
  const append = async (): Promise<void> => {
    for (let count = 0; count < BATCHES; count += 1) {
      secrets.push(`${secrets.length} ${'x'.repeat(upTo(200))}`)
      const record: StateRecord = ['server', '', '', { seed: 1, secret: secrets.at(-1) ?? '', given: [] }]
      await writer.append([record])
    }
  }
  await append()
  await writer.compact()
  await append()
  const { generation } = await readStateFiles(path)
  const kept = join(folder, 'kept')
  await copyFile(path, kept)
  await copyFile(`${path}.${generation}.log`, `${kept}.log`)
  await writer.compact()
  await append()
  await copyFile(kept, path)
  await copyFile(`${kept}.log`, `${path}.${generation}.log`)
  await writer.close()
  for (const name of ['kept', 'kept.log', 'state.lock']) await rm(join(folder, name))
  const names = (await readdir(folder)).filter((name) => name.startsWith('state')).sort()
  return { names, secrets }
}
