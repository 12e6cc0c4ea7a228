import { cp, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createEmulatorHandles } from '../../../src/client/handles.js'
import { localTransport } from '../../../src/client/start-emulator.js'
import { readSettings, type SettingsInput } from '../../../src/core/settings.js'
import type { EmulatorDependencies } from '../../../src/emulator.js'
import { listen } from '../../../src/listen.js'
import { openEmulator } from '../../../src/open-emulator.js'
import { newFolder } from '../../folder.js'

/** A folder that goes with the test, by its real path: that for temporary files is a link on macOS, and short on Windows. */
export const openFolder = async (): Promise<string> => {
  const folder = await realpath(newFolder())
  return folder
}

/** An emulator that is listening, with a state file; stopped with the test where it was not before. */
export const start = async (
  file: string,
  settings: SettingsInput = {},
  outside: EmulatorDependencies = {},
) => {
  const notices: string[] = []
  const emulator = await openEmulator(readSettings({ port: 0, clock: 'paused', state: file, ...settings }), {
    onWarning: (sentence) => notices.push(sentence),
    ...outside,
  })
  const { url, close } = await listen(emulator)
  let closed: Promise<void> | undefined
  const stop = () => {
    closed ??= close()
    return closed
  }
  onTestFinished(stop)
  const handles = createEmulatorHandles(url, (key) => localTransport(emulator, key))
  const as = (key: string) => ({ ...handles.account(key), ...callsAt(url, key) })
  return { emulator, url, notices, handles, as, stop, ...as('k') }
}

export type StartedEmulator = Awaited<ReturnType<typeof start>>

const callsAt = (url: string, key: string) => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any }
  }
  const content = [{ type: 'text', text: 'a lighthouse' }]
  return {
    ask,
    createB: async (change: object = {}): Promise<string> =>
      (
        await ask('POST', '/provB/api/v3/contents/generations/tasks', {
          model: 'videoa-2-0-260128',
          content,
          ...change,
        })
      ).body.id,
    readB: async (id: string) => (await ask('GET', `/provB/api/v3/contents/generations/tasks/${id}`)).body,
    createF: async (callbackUrl: string): Promise<string> =>
      (
        await ask('POST', '/provC/v2/video_generation', {
          model: 'gamma-H3',
          content,
          duration: 5,
          callback_url: callbackUrl,
        })
      ).body.task_id,
  }
}

/** What a process that is killed now leaves behind: copies of the file, its logs, and the folder beside it. */
export const killed = async (house: StartedEmulator, into: string): Promise<string> => {
  const file = house.emulator.persistence?.facts().file ?? ''
  const copy = join(into, 'left-behind.jsonl')
  for (const name of await readdir(dirname(file)))
    if (name.startsWith(basename(file)) && !name.endsWith('.lock'))
      await cp(join(dirname(file), name), copy + name.slice(basename(file).length), { recursive: true })
  return copy
}
