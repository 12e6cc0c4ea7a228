import type { CallbackHttpClient } from '../callbacks/http-client.js'
import type { ControlContext } from '../control/action.js'
import type { FormFile } from '../core/model/call.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Registry } from '../families/registry.js'
import type { BlobStore } from '../media/files/blob-store.js'
import type { ResolveMedia } from '../media/resolve/resolve-media.js'
import type { LoadedProfile } from '../profile/load.js'
import type { SetTimer } from '../timers.js'
import type { VerifiedFact } from '../verified/file.js'

/** What a recording is made of, beside what control actions use. */
export interface RecordedParts extends ControlContext {
  /** Signs result URLs: it is enough to forge them. */
  readonly signingSecret: string
  /** Stores the files of assets that are imported, and reads those that are exported. */
  readonly blobs: BlobStore
}

/** Makes the recording of some accounts out of their journals: lines of JSON. */
export type SaveRecording = (emulator: RecordedParts, keys: readonly string[]) => Promise<string>

/** Dependencies of an emulator that a test can replace. */
export interface EmulatorDependencies {
  /** The families that it has; default: the built-in ones. */
  readonly registry?: Registry
  /** What the registry was read through. Default: no profile. */
  readonly profile?: LoadedProfile | undefined
  /** What the real service was seen to answer. Default: nothing is known. */
  readonly facts?: readonly VerifiedFact[] | undefined
  /** HTTP client that sends callbacks; default: over the network. */
  readonly post?: CallbackHttpClient
  /** Milliseconds since 1970; the one place from which the emulator learns what time it is. */
  readonly systemNow?: () => number
  /** Timer for the delays of scenarios and the checks of a state file; default: real time. */
  readonly setTimer?: SetTimer
  /** Those that play for every account from its start on, the first to be asked first. */
  readonly scenarios?: readonly Scenario[]
  /** Decorates what resolves the media of request bodies. */
  readonly wrapMediaResolver?: (resolve: ResolveMedia) => ResolveMedia
  /** Replaces the facts of an uploaded file. */
  readonly inspectUpload?: (file: FormFile) => FormFile
  /** Told of what should never happen. */
  readonly onInternalError?: (error: unknown) => void
  /** Receives warnings, one sentence each; default: written to standard error. */
  readonly onWarning?: (sentence: string) => void
  /** Recorder of journals, for the control API; without it that action is refused. */
  readonly saveRecording?: SaveRecording
}

/** Writes a warning to standard error; standard output is reserved for programs that read it. */
export const writeWarning = (sentence: string): void => {
  process.stderr.write(`backlot: ${sentence}\n`)
}
