import type { Settings } from '../settings.js'

/**
 * Settings that say where and how the emulator runs, on which no answer depends, or which a recording keeps elsewhere:
 * the seed in its head, clocks and accounts on lines of their own. Keys, tokens and names of places are among them.
 */
const left = [
  ...['port', 'host', 'publicUrl', 'controlToken', 'signingSecret', 'callbackHosts', 'callbackTimeoutScale'],
  ...['clock', 'speed', 'startAt', 'seed', 'account', 'scenario', 'state'],
  ...['stateFresh', 'stateDelayMs', 'stateBodyBytes', 'snapshotsMost'],
  ...['headersTimeoutMs', 'requestTimeoutMs', 'keepAliveTimeoutMs', 'unreadTimeoutMs', 'headerBytes'],
  ...['requestsPerConnection', 'requestsAtOncePerConnection', 'bodyBytesAtOnce'],
  ...['journalEntries', 'callbackLogEntries', 'journalBodyBytes', 'uploadsAtOnce'],
  ...['mediaFolder', 'mediaDiskBytes', 'mediaMemoryBytes', 'inputBytes'],
  ...['rendersAtOnce', 'renderTimeoutMs', 'ffmpeg', 'logFile', 'logLevel'],
]

/** The settings that answers depend on. */
export const recordedSettings = (settings: Settings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !left.includes(name)))
