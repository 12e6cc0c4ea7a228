import { onTestFinished } from 'vitest'
import { readSettings, type SettingsInput } from '../src/core/settings.js'
import { createEmulator, type Emulator, type EmulatorDependencies } from '../src/emulator.js'
import { listen } from '../src/listen.js'

export const paths = {
  image: '/provA/api/v1/services/aigc/multimodal-generation/generation',
  tasks: '/provB/api/v3/contents/generations/tasks',
  videos: '/v1/videos',
  upload: '/v1/asset/upload',
  resolve: '/v1/asset/jobs/get-asset-id',
  second: '/provC/v2/video_generation',
} as const

export interface Listening {
  readonly emulator: Emulator
  readonly url: string
  readonly port: number
  /** Told of so far; `afterwards` has them all. */
  readonly bugs: readonly unknown[]
}

/** An emulator on a port, for the length of a test. `afterwards` is called with its bugs once it is closed. */
export const openListening = async (
  settings: SettingsInput,
  outside: EmulatorDependencies = {},
  afterwards: (bugs: readonly unknown[]) => void = () => {},
): Promise<Listening> => {
  const bugs: unknown[] = []
  const onInternalError = (bug: unknown) => void bugs.push(bug)
  const emulator = createEmulator(readSettings({ port: 0, ...settings }), { onInternalError, ...outside })
  const { url, port, close } = await listen(emulator)
  onTestFinished(async () => {
    await close()
    afterwards(bugs)
  })
  return { emulator, url, port, bugs }
}

/** What a text says as JSON; where it is none, what is given instead. */
export const jsonOr = (text: string, otherwise?: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
