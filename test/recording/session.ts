import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { RunningEmulator } from '../../src/emulator/client/start-emulator.js'
import type { EmulatorSettings } from '../../src/generated/emulator-settings.js'
import { mediaReader } from '../../src/recording/media.js'
import { type Report, replay } from '../../src/recording/replay.js'
import { openOwnTarget } from '../../src/recording/replay-command.js'
import { startEmulator } from '../../src/start-emulator.js'
import type { Recording } from '../../src/traffic/format.js'
import { parseRecording } from '../../src/traffic/parse.js'
import { bodies, type Client, clientOf as clientWith, paths } from '../emulator.js'
import { newFolder } from '../folder.js'

export const KEY = 'sk-secret-key-0123456789'

export { paths }

export const text = (prompt = 'a lighthouse') => ({ type: 'text', text: prompt })

export const videoTask = (change: object = {}) => bodies.task({ duration: 4, resolution: '480p', ...change })

export const image = (change: object = {}) => ({ ...bodies.image(), ...change })

export const fixture = (name: string) => readFile(new URL(`../../fixtures/media/${name}`, import.meta.url))

/** A client with a key, that of the tests where none is given; undefined: a client without a key. */
export const clientOf = (url: string, ...given: readonly [key?: string | undefined]): Client =>
  clientWith(url, given.length === 0 ? KEY : given[0])

/** A receiver or another server, stopped with the test. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Session {
  readonly emulator: RunningEmulator
  readonly client: Client
  as(key: string | undefined): Client
  /** Saves the recording of everything so far into `file`. Resolves with its text. */
  saved(): Promise<string>
  readonly file: string
}

/** An emulator with a client; stopped with the test. */
export const openSession = async (settings: EmulatorSettings = {}): Promise<Session> => {
  const emulator = await startEmulator(settings)
  onTestFinished(() => emulator.stop())
  const file = join(newFolder(), 'session.jsonl')
  return {
    emulator,
    client: clientOf(emulator.url),
    as: (key) => clientOf(emulator.url, key),
    file,
    saved: async () => {
      await emulator.requests.save(file)
      return readFile(file, 'utf8')
    },
  }
}

/** Replays a recording against an emulator of its own; without its file, from the recorded facts of its media. */
export const replayed = async (recording: string | Recording, file?: string): Promise<Report> => {
  const read = typeof recording === 'string' ? parseRecording(recording) : recording
  const { target, close } = await openOwnTarget(read, mediaReader(file))
  try {
    return await replay(read, target)
  } finally {
    await close()
  }
}

/** Replays a recording, of which nothing differs. */
export const expectSame = async (recording: string, file?: string) => {
  const report = await replayed(recording, file)
  expect(report.mismatches).toEqual([])
  return report
}

/** The outcomes that differ, as short as can be: the line's name and the paths. */
export const differing = ({ mismatches }: Report) =>
  mismatches.map(({ place: { line }, differences }) => [
    line.kind === 'call' ? (line.operation ?? line.request.path) : line.kind,
    ...differences.map(({ path }) => path),
  ])
