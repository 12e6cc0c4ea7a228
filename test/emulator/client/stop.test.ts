import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startEmulator } from '../../../src/index.js'
import { newFolder } from '../../folder.js'

afterEach(() => void vi.unstubAllEnvs())

test('an emulator with a log is stopped once, however often stop is called', async () => {
  const logFile = join(newFolder(), 'log')
  const emulator = await startEmulator({ logFile })
  await Promise.all([emulator.stop(), emulator.stop()])
  await emulator[Symbol.asyncDispose]()
  expect(readFileSync(logFile, 'utf8').match(/"msg":"\w+"/g)).toEqual(['"msg":"started"', '"msg":"stopped"'])
})

test('an emulator in a sweep is stopped once, and leaves one recording and one ledger', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'plan.json'), 'null')
  vi.stubEnv('BACKLOT_SWEEP', folder)
  const emulator = await startEmulator()
  await emulator.stop()
  await emulator.stop()
  const files = readdirSync(folder).map((name) => name.replace(/-\w+/, ''))
  expect(files.sort()).toEqual(['plan.json', 'recording.jsonl', 'sightings.jsonl'])
})

test('an emulator that counts coverage makes its folder anew where it was removed meanwhile', async () => {
  const folder = join(newFolder(), 'coverage')
  vi.stubEnv('BACKLOT_COVERAGE', folder)
  const emulator = await startEmulator()
  rmSync(folder, { recursive: true })
  await emulator.stop()
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^part-/)])
})

test('a start that fails lets go of its state file', async () => {
  const folder = newFolder()
  const state = join(folder, 'state.jsonl')
  writeFileSync(join(folder, 'file'), '')
  vi.stubEnv('BACKLOT_COVERAGE', join(folder, 'file'))
  await expect(startEmulator({ state })).rejects.toMatchObject({ code: 'bad-setting' })
  vi.unstubAllEnvs()
  const emulator = await startEmulator({ state })
  await emulator.stop()
})
