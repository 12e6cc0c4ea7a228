import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmulatorError } from '../../core/emulator-error.js'
import type { MediaFacts } from '../../core/media/facts.js'
import type { MediaSpec } from '../../core/media/spec.js'
import type { Settings } from '../../core/settings.js'
import { probe } from '../media/probe/index.js'
import { createRenderer } from '../media/studio/index.js'

/**
 * Draws a medium into a folder that is deleted again, and reads the facts off its bytes.
 * @throws EmulatorError when it cannot be drawn, or is not what was asked for
 */
export const renderSample = async (spec: MediaSpec, settings: Settings): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-doctor-'))
  const renderer = createRenderer({
    folder,
    maxDiskBytes: settings.mediaDiskBytes,
    maxMemoryBytes: settings.mediaMemoryBytes,
    rendersAtOnce: 1,
    renderTimeoutMs: settings.renderTimeoutMs,
    readBlob: async () => undefined,
    ...(settings.ffmpeg === undefined ? {} : { ffmpegPath: settings.ffmpeg }),
  })
  try {
    const file = await renderer.open(spec)
    return shown(await factsOf(file.path))
  } finally {
    await renderer.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const factsOf = async (path: string): Promise<MediaFacts> => {
  const facts = await probe(await readFile(path))
  if (facts.kind !== 'unreadable') return facts
  throw new EmulatorError(`What was drawn cannot be read: ${facts.detail}.`, { code: 'unreadable-drawing' })
}

const shown = (facts: MediaFacts): string => {
  const bytes = `${facts.bytes} bytes`
  if (facts.kind === 'image') return `${facts.format}, ${facts.width}x${facts.height}, ${bytes}`
  if (facts.kind === 'audio') return `${facts.format}, ${facts.seconds} s, ${bytes}`
  const codecs = [facts.videoCodec, facts.audioCodec ?? 'no sound'].join(' and ')
  return `${facts.format}, ${codecs}, ${facts.width}x${facts.height}, ${facts.seconds} s, ${bytes}`
}
